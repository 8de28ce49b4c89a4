import type { Prescription } from "../../../schemas/prescriptions/Prescription.ts"
import { fill } from "../../../texts/fill.ts"
import { PageHead, Press, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Pdf } from "../parts/Pdf.tsx"

/** Prescriptions that wait for the doctor's signature: render the PDF, read it, register it as signed. */
export const PrescriptionsPage = ({ prescriptions }: { readonly prescriptions: ReadonlyArray<Prescription> }) => {
  const { doctor: texts } = useTexts()
  const { language, zone } = useDesk()
  return (
    <>
      <PageHead title={texts.prescriptionsWaiting} />
      <section class="card" aria-label={texts.prescriptionsWaiting}>
        {prescriptions.length === 0 ? <p class="help">{texts.noPrescriptions}</p> : null}
        <ul class="rows">
          {prescriptions.map((one) => {
            const path = `POST /v1/doctor/prescriptions/${one.uid}`
            return (
              <li key={one.uid}>
                <span class="grow">
                  {moment(language, zone, one.created_at)}
                  <br />
                  <span class="help">
                    {one.items
                      .map((item) =>
                        [fill(texts.quantity, { n: String(item.quantity) }), item.sku_uid, item.dosage]
                          .filter(Boolean)
                          .join(" ")
                      )
                      .join("; ")}
                  </span>
                </span>
                {one.file === null ? (
                  <Press operation={`${path}/render`} text={texts.render} label={`${texts.render}: ${one.uid}`} />
                ) : (
                  <>
                    <Press
                      operation={`${path}/external-sign`}
                      text={texts.sign}
                      label={`${texts.sign}: ${one.uid}`}
                      look="primary"
                    />
                    <Pdf url={one.file.url} label={`${texts.pdfOf} ${moment(language, zone, one.created_at)}`} />
                  </>
                )}
              </li>
            )
          })}
        </ul>
      </section>
    </>
  )
}
