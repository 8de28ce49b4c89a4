import { fill } from "../../../../texts/fill.ts"
import { Do, Field, PageHead, Press, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { calendarDate, moment } from "../../../shared/pages/format.ts"
import type { WaitingPrescription } from "../../schemas/DoctorsPrescription.ts"
import { Pdf } from "../parts/Pdf.tsx"
import { useTexts } from "../useTexts.ts"

/** Prescriptions that wait for the doctor's signature: render the PDF, read it, register it as signed. */
export const PrescriptionsPage = ({
  prescriptions
}: {
  readonly prescriptions: ReadonlyArray<WaitingPrescription>
}) => {
  const { doctor: texts } = useTexts()
  const { language, zone } = useDesk()
  const nameOf = (one: WaitingPrescription) =>
    [one.patient.display_name, ...one.items.map(({ article }) => article)].filter(Boolean).join(", ") || one.uid
  return (
    <>
      <PageHead title={texts.prescriptionsWaiting} />
      <section class="card" aria-label={texts.prescriptionsWaiting}>
        <Rows of={prescriptions} empty={{ what: "ownPrescriptions", to: "/console/doctor" }}>
          {(one) => {
            const path = `POST /v1/doctor/prescriptions/${one.uid}`
            return (
              <li key={one.uid}>
                <span class="grow">
                  <strong>{one.patient.display_name ?? texts.unknownPatient}</strong>
                  {one.patient.date_of_birth === null
                    ? null
                    : ` · ${fill(texts.born, { date: calendarDate(language, one.patient.date_of_birth) })}`}
                  <br />
                  {moment(language, zone, one.created_at)}
                  <br />
                  <span class="help">
                    {one.items
                      .map(
                        ({ quantity, article, sku_uid, dosage }) =>
                          `${fill(texts.quantity, { n: String(quantity) })} ${[article ?? sku_uid, dosage].filter(Boolean).join(" · ")}`
                      )
                      .join("; ")}
                  </span>
                </span>
                {one.file === null ? (
                  <Press operation={`${path}/render`} text={texts.render} label={`${texts.render}: ${nameOf(one)}`} />
                ) : (
                  <>
                    <Press
                      operation={`${path}/external-sign`}
                      text={texts.sign}
                      label={`${texts.sign}: ${nameOf(one)}`}
                      look="primary"
                    />
                    <Pdf url={one.file.url} label={`${texts.pdfOf} ${moment(language, zone, one.created_at)}`} />
                  </>
                )}
                <details>
                  <summary aria-label={`${texts.upload}: ${nameOf(one)}`}>{texts.upload}</summary>
                  <Do operation={`${path}/signed-file`}>
                    <p class="help">{texts.uploadHelp}</p>
                    <Field label={texts.uploadFile} name="@file" type="file" accept="application/pdf" />
                    <Field label={texts.uploadText} name="pdf_base64" rows={2} required />
                    <Submit text={texts.uploadSave} />
                  </Do>
                </details>
              </li>
            )
          }}
        </Rows>
      </section>
    </>
  )
}
