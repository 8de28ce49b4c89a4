import type { Doctor } from "../../../../schemas/scheduling/Doctor.ts"
import { specialties } from "../../../../schemas/scheduling/specialties.ts"
import {
  Added,
  Card,
  Do,
  Field,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useFormValues
} from "../../../shared/pages/Desk.tsx"
import { Subject } from "../../../shared/pages/rows.tsx"
import type { Organisation } from "../../../shared/schemas/Organisation.ts"
import { Limits } from "../parts/Limits.tsx"
import { useTexts } from "../useTexts.ts"

const DOCTORS = "/v1/management/doctors"

/** What patients and other systems see of a doctor. */
const DoctorDetails = ({ one }: { readonly one: Doctor }) => {
  const { practice: texts, frame } = useTexts()
  const operation = `PATCH ${DOCTORS}/${one.uid}`
  return (
    <Card id="doctor" title={one.display_name}>
      <Do operation={operation} label={one.display_name}>
        <div class="entries">
          <Field label={texts.name} name="display_name" value={one.display_name} required />
          <Field label={texts.doctorFields.title} name="title" value={one.title ?? ""} />
          <Field label={texts.doctorFields.specialty} name="specialty" value={one.specialty ?? ""} />
          <Field
            label={texts.specialtyCode}
            name="specialty_code"
            value={one.specialty_code}
            options={Object.entries(specialties)}
          />
          <Field label={texts.email} name="email" type="email" value={one.email ?? ""} />
          <Field label={texts.phone} name="phone" type="tel" value={one.phone ?? ""} />
          <Field label={texts.doctorFields.profession} name="profession" value={one.profession ?? ""} />
          <Field label={texts.doctorFields.address} name="address" value={one.address ?? ""} />
          <Field label={texts.zone} name="timezone" value={one.timezone} required />
        </div>
        <Submit text={frame.save} />
      </Do>
      <p class="actions">
        <a class="secondary" href={`/console/practice/hours?${new URLSearchParams({ doctor: one.uid })}`}>
          {texts.pages.hours}
        </a>
        <Added at="doctor" doctor_uid={one.uid} />
      </p>
      <details>
        <summary>{`${frame.remove}: ${one.display_name}`}</summary>
        <p class="help">{texts.removeDoctorHelp}</p>
        <Press
          operation={`DELETE ${DOCTORS}/${one.uid}`}
          text={frame.remove}
          label={`${frame.remove}: ${one.display_name}`}
          back="/console/practice/people"
        />
      </details>
    </Card>
  )
}

interface PeopleProps {
  readonly doctors: ReadonlyArray<Doctor>
  readonly organisation: Organisation
  readonly chosen: Doctor | null
}

/** Doctors with their limits, the practice's name, and who gets reminders for it. */
export const PeoplePage = ({ doctors, organisation, chosen }: PeopleProps) => {
  const { practice: texts, frame } = useTexts()
  const address = useAddress()
  const create = `POST ${DOCTORS}`
  const typed = useFormValues(create)
  const practice = "PATCH /v1/management/organisation"
  return (
    <>
      <PageHead title={texts.pages.people} />
      <div class="board">
        <Card id="doctors" title={texts.doctors}>
          <Rows of={doctors} empty={{ what: "doctors", to: "#new-doctor" }}>
            {(one) => (
              <li key={one.uid}>
                <a
                  class="grow"
                  href={address({ doctor: one.uid, region: null, date: null, name: null })}
                  aria-current={one.uid === chosen?.uid ? "true" : undefined}
                >
                  {one.display_name}
                </a>
                <span class="help">{one.specialty}</span>
              </li>
            )}
          </Rows>
          <h3 id="new-doctor">{texts.newDoctor}</h3>
          <Do operation={create} back="/console/practice/hours?doctor={uid}" label={texts.newDoctor}>
            <Field label={texts.name} name="display_name" value={typed("display_name", "")} required />
            <Field label={texts.email} name="email" type="email" value={typed("email", "")} />
            <Submit text={texts.createDoctor} />
          </Do>
        </Card>
        {chosen === null ? null : (
          <>
            <DoctorDetails one={chosen} />
            <Card id="limits" title={texts.takes.limits}>
              <p class="help">{texts.doctorLimitsHelp}</p>
              <Limits operation={`PATCH ${DOCTORS}/${chosen.uid}`} limits={chosen.limits} hasScope={false} />
            </Card>
          </>
        )}
        <Card id="practice" title={texts.practice}>
          <Do operation={practice}>
            <Field label={texts.name} name="name" value={organisation.name} required />
            <Field label={texts.zone} name="timezone" value={organisation.timezone} required />
            <Submit text={frame.save} look="secondary" />
          </Do>
        </Card>
        <Card id="administrators" title={texts.administrators}>
          <p class="help">{texts.administratorsHelp}</p>
          <Rows of={organisation.admins} empty={{ what: "admins" }}>
            {(one) => (
              <li key={one.uid}>
                <Subject below={[[one.email, one.phone].filter(Boolean).join(" · ")]}>{one.display_name}</Subject>
                <details>
                  <summary aria-label={`${frame.remove}: ${one.display_name}`}>{frame.remove}</summary>
                  <Press
                    operation={`DELETE /v1/management/organisation/admins/${encodeURIComponent(one.uid)}`}
                    text={frame.remove}
                    label={`${frame.remove}: ${one.display_name}`}
                  />
                </details>
              </li>
            )}
          </Rows>
          <Do operation={practice} label={texts.newAdministrator}>
            <div class="entries">
              <Field label={texts.shopIdentifier} name="admins.0.uid" required />
              <Field label={texts.name} name="admins.0.display_name" required />
              <Field label={texts.email} name="admins.0.email" type="email" />
              <Field label={texts.phone} name="admins.0.phone" type="tel" />
            </div>
            <Submit text={texts.newAdministrator} look="secondary" />
          </Do>
        </Card>
      </div>
    </>
  )
}
