import type { ListedPrescription } from "../../../../schemas/prescriptions/Prescription.ts"
import { PrescriptionStatusShown } from "../../../../schemas/prescriptions/PrescriptionStates.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { Field, PageHead, Rows, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { Filter } from "../../../shared/pages/rows.tsx"
import { useTexts } from "../useTexts.ts"

interface PrescriptionsListProps {
  readonly prescriptions: ReadonlyArray<ListedPrescription>
  readonly status: ListedPrescription["status"] | null
  readonly search: string
  readonly total: number
  readonly page: number
  readonly pages: number
}

/** The practice's prescriptions by status and patient, newest first. */
export const PrescriptionsListPage = ({
  prescriptions,
  status,
  search,
  total,
  page,
  pages
}: PrescriptionsListProps) => {
  const { practice: texts, doctor, frame } = useTexts()
  const { language, zone } = useDesk()
  const address = useAddress()
  return (
    <>
      <PageHead title={texts.pages.prescriptions}>
        <search>
          <form class="press">
            <Field label={texts.prescriptionSearch} name="search" type="search" value={search} />
            <Submit text={frame.search} />
          </form>
        </search>
      </PageHead>
      <Filter
        label={texts.prescriptionStatus}
        name="status"
        of={[
          [null, texts.everybody],
          ...PrescriptionStatusShown.literals.map((one) => [one, texts.prescriptionStatuses[one]] as const)
        ]}
        chosen={status}
      />
      <section class="card" aria-label={texts.pages.prescriptions}>
        <p class="help">{plural(language, texts.prescriptionCount, total)}</p>
        <Rows of={prescriptions} empty={{ what: "prescriptionsOfPractice" }}>
          {(one) => (
            <li key={one.uid}>
              <time>{moment(language, zone, one.created_at)}</time>
              <span class="grow">
                <a href={address({ uid: one.uid })}>{one.patient.display_name ?? doctor.unknownPatient}</a>
                {one.doctor === null ? null : ` · ${one.doctor.display_name}`}
                <br />
                <span class="help">
                  {one.items
                    .map(({ quantity, article, sku_uid }) =>
                      [fill(doctor.quantity, { n: String(quantity) }), article ?? sku_uid].join(" ")
                    )
                    .join("; ")}
                </span>
              </span>
              <span class={one.status === "waiting_for_doctor" ? "badge now" : "badge"}>
                {texts.prescriptionStatuses[one.status]}
              </span>
            </li>
          )}
        </Rows>
        <Pager page={page} pages={pages} />
      </section>
    </>
  )
}
