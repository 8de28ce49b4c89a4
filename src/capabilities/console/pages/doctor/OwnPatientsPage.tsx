import { fill } from "../../../../texts/fill.ts"
import { Field, PageHead, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { birthDate } from "../../../shared/pages/format.ts"
import { OWN_PATIENTS_MAX, type OwnPatient } from "../../schemas/DoctorDay.ts"
import { useTexts } from "../useTexts.ts"

interface OwnPatientsProps {
  readonly patients: ReadonlyArray<typeof OwnPatient.Type>
  readonly search: string
}

/** The doctor's patients, by any part of what is known of them. */
export const OwnPatientsPage = ({ patients, search }: OwnPatientsProps) => {
  const { doctor: texts, frame } = useTexts()
  const { language } = useDesk()
  return (
    <>
      <PageHead title={texts.pages.patients}>
        <search>
          <form class="press">
            <Field label={texts.findPatient} name="search" type="search" value={search} />
            <Submit text={frame.search} />
          </form>
        </search>
      </PageHead>
      <section class="card" aria-label={texts.pages.patients}>
        <p class="help">{texts.ownPatients}</p>
        <Rows of={patients} empty={{ what: "ownPatients" }}>
          {({ uid, display_name, date_of_birth, phone, email }) => (
            <li key={uid}>
              <a class="grow" href={`/console/doctor/patients/${encodeURIComponent(uid)}`}>
                {display_name || uid}
              </a>
              <span class="help">
                {[date_of_birth === null ? null : birthDate(language, date_of_birth), phone, email]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </li>
          )}
        </Rows>
        {patients.length < OWN_PATIENTS_MAX ? null : (
          <p class="notice">{fill(texts.ownPatientsMost, { n: String(OWN_PATIENTS_MAX) })}</p>
        )}
      </section>
    </>
  )
}
