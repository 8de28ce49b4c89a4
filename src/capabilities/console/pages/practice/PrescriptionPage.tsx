import type { Prescription } from "../../../../schemas/prescriptions/Prescription.ts"
import { Card, Do, Field, PageHead, Press, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Pdf } from "../parts/Pdf.tsx"
import { useTexts } from "../useTexts.ts"

/** A prescription: its PDF, and the practice's actions. */
export const PrescriptionPage = ({ prescription: one }: { readonly prescription: Prescription }) => {
  const { practice: texts, doctor } = useTexts()
  const { language, zone } = useDesk()
  const path = `/v1/management/prescriptions/${one.uid}`
  return (
    <>
      <PageHead title={texts.pages.prescriptions}>
        <a class="quiet" href="/console/practice/prescriptions">
          {texts.allPrescriptions}
        </a>
      </PageHead>
      <Card id="prescription" title={`${one.uid} · ${moment(language, zone, one.created_at)}`}>
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
        <Do operation={`POST ${path}/cancel`}>
          <Field label={texts.reason} name="reason" required />
          <Submit text={texts.callOff} look="primary danger" />
        </Do>
      </Card>
    </>
  )
}
