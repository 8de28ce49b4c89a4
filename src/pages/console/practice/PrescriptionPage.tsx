import type { Prescription } from "../../../schemas/prescriptions/Prescription.ts"
import { Do, Field, Press, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Pdf } from "../parts/Pdf.tsx"

interface PrescriptionProps {
  /** Null before a prescription is looked up. */
  readonly prescription: Prescription | null
  readonly uid: string
}

/** A prescription by its uid: its PDF, and the practice's actions. */
export const PrescriptionPage = ({ prescription: one, uid }: PrescriptionProps) => {
  const { practice: texts, doctor, frame } = useTexts()
  const { language, zone } = useDesk()
  const path = `/v1/management/prescriptions/${one?.uid}`
  return (
    <>
      <header class="page-head">
        <h1>{texts.pages.prescriptions}</h1>
        <search>
          <form class="press">
            <Field label={texts.prescriptionNumber} name="uid" type="search" value={uid} required />
            <button type="submit" class="primary">
              {frame.search}
            </button>
          </form>
        </search>
      </header>
      {one === null ? null : (
        <section class="card" aria-labelledby="prescription">
          <h2 id="prescription">{`${one.uid} · ${moment(language, zone, one.created_at)}`}</h2>
          <p>
            <span class="badge">{texts.prescriptionStatuses[one.status]}</span>
          </p>
          {one.file === null ? (
            <Press operation={`POST ${path}/render`} text={doctor.render} />
          ) : (
            <Pdf url={one.file.url} label={`${doctor.pdfOf} ${moment(language, zone, one.created_at)}`} />
          )}
          <p class="actions">
            <Press operation={`POST ${path}/external-sign`} text={doctor.sign} look="primary" />
          </p>
          <Do operation={`POST ${path}/cancel`} class="stack">
            <Field label={texts.reason} name="reason" required />
            <button type="submit" class="primary danger">
              {texts.callOff}
            </button>
          </Do>
        </section>
      )}
    </>
  )
}
