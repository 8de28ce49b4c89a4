import type { Patient } from "../../../schemas/access/Patient.ts"
import type { Consent, ConsentText } from "../../../schemas/patients/Consent.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../texts/fill.ts"
import { clockTime, longDay } from "../../time.ts"
import { Card, Do, Field, PageHead, Press, Rows, Submit, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"
import type { FreeTime } from "./CalendarPage.tsx"
import { Consents } from "./Consents.tsx"

type Choices = ReadonlyArray<readonly [uid: string, name: string]>
type Profile = Readonly<Record<string, unknown>>

export const nameOf = ({ profile, uid }: Patient) =>
  [profile.first_name, profile.last_name].filter((part) => typeof part === "string").join(" ") || uid
const textIn = (profile: Profile, field: string) => {
  const value = profile[field]
  return typeof value === "string" ? value : undefined
}

const ProfileFields = ({ prefix, profile, operation }: { prefix: string; profile: Profile; operation: string }) => {
  const { practice: texts } = useTexts()
  const typed = useFormValues(operation)
  const field = (name: string) => ({ name: prefix + name, value: typed(prefix + name, textIn(profile, name)) })
  return (
    <div class="entries">
      <Field label={texts.firstName} {...field("first_name")} required />
      <Field label={texts.lastName} {...field("last_name")} required />
      <Field label={texts.birthDate} type="date" {...field("date_of_birth")} />
      <Field label={texts.email} type="email" {...field("email")} />
      <Field label={texts.phone} type="tel" {...field("phone")} />
    </div>
  )
}

interface PatientsProps {
  readonly patients: ReadonlyArray<Patient>
  readonly search: string
  readonly page: number
  readonly pages: number
  readonly shops: Choices
}

/** Patient search, and a form for a new patient on the telephone. */
export const PatientsPage = ({ patients, search, page, pages, shops }: PatientsProps) => {
  const { practice: texts, frame } = useTexts()
  const create = "POST /v1/management/patients"
  return (
    <>
      <PageHead title={texts.pages.patients} />
      <div class="board two">
        <Card id="found" title={frame.search}>
          <search>
            <form action="/console/practice/patients" class="press">
              <Field label={texts.searchPatient} name="search" type="search" value={search} />
              <Submit text={frame.search} />
            </form>
          </search>
          <Rows of={patients}>
            {(one) => (
              <li key={one.uid}>
                <a class="grow" href={`/console/practice/patients/${one.uid}`}>
                  {nameOf(one)}
                </a>
                <span class="help">
                  {[textIn(one.profile, "date_of_birth"), textIn(one.profile, "email")].filter(Boolean).join(" · ")}
                </span>
              </li>
            )}
          </Rows>
          <Pager page={page} pages={pages} />
        </Card>
        <Card id="new" title={texts.newPatient}>
          <Do operation={create} class="stack" back="/console/practice/patients">
            <Field label={texts.shop} name="shop_uid" options={shops} />
            <ProfileFields prefix="profile." profile={{}} operation={create} />
            <Submit text={texts.create} />
          </Do>
        </Card>
      </div>
    </>
  )
}

interface PatientProps {
  readonly patient: Patient
  readonly appointments: ReadonlyArray<Appointment>
  readonly types: Choices
  readonly doctors: Choices
  readonly type: string
  readonly doctor: string
  readonly free: ReadonlyArray<FreeTime>
  readonly consents: ReadonlyArray<Consent>
  /** The practice's current consent texts. */
  readonly asked: ReadonlyArray<ConsentText>
}

/** One patient: booking by telephone in two clicks, history, details. */
export const PatientPage = ({
  patient,
  appointments,
  types,
  doctors,
  type,
  doctor,
  free,
  consents,
  asked
}: PatientProps) => {
  const { practice: texts, statuses, formats, frame } = useTexts()
  const { language, zone } = useDesk()
  const change = `PATCH /v1/management/patients/${patient.uid}`
  const names = new Map(doctors)
  return (
    <>
      <PageHead title={nameOf(patient)} />
      <div class="board">
        <Card id="book" title={texts.book}>
          <form class="entries">
            <Field label={texts.type} name="type" value={type} options={types} />
            <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
            <Submit text={texts.apply} look="secondary" />
          </form>
          {free.length === 0 ? <p class="help">{texts.noTimes}</p> : null}
          <Do
            operation="POST /v1/management/scheduling/appointments"
            hidden={{ shop_uid: patient.shop_uid, patient_uid: patient.uid, appointment_type_uid: type }}
            class="stack"
          >
            <Field label={texts.reason} name="visit_reason" />
            <Field
              label={texts.format}
              name="meeting_format"
              options={[
                ["DIGITAL", formats.DIGITAL],
                ["IN_PERSON", formats.IN_PERSON]
              ]}
            />
            {free.map(({ start_date, doctor_uid }) => (
              <button
                key={`${start_date} ${doctor_uid}`}
                type="submit"
                class="secondary"
                name="@slot"
                value={`${start_date}.${doctor_uid}`}
              >
                {`${fill(texts.bookAt, {
                  time: `${longDay(language, zone, start_date)}, ${clockTime(language, zone, start_date)}`
                })} · ${names.get(doctor_uid) ?? doctor_uid}`}
              </button>
            ))}
          </Do>
        </Card>
        <Card id="history" title={texts.history}>
          <Rows of={appointments}>
            {(one) => (
              <li key={one.uid}>
                <a href={`/console/practice/appointments/${one.uid}`}>{moment(language, zone, one.start_date)}</a>
                <span class="grow">{one.doctor_display_name}</span>
                <span class="badge">{statuses[one.status]}</span>
              </li>
            )}
          </Rows>
        </Card>
        <Card id="consents" title={texts.consents}>
          <Consents patient={patient.uid} consents={consents} />
          {asked.map(({ purpose, version }) => (
            <Press
              key={purpose}
              operation={`POST /v1/management/patients/${patient.uid}/consents`}
              hidden={{ purpose, version }}
              text={fill(texts.gave, { text: `${texts.purposes[purpose]} (${version})` })}
            />
          ))}
        </Card>
        <Card id="details" title={texts.details}>
          <Do operation={change} class="stack">
            <ProfileFields prefix="profile." profile={patient.profile} operation={change} />
            <Submit text={frame.save} look="secondary" />
          </Do>
          <a href={`/console/practice/patients/${patient.uid}/rights`}>{texts.rights.title}</a>
        </Card>
      </div>
    </>
  )
}
