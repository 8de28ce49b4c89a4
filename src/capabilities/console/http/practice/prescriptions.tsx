/** The practice's prescriptions: the list with its filters, and one of them. */
import { Effect } from "effect"
import { PatientUid, PrescriptionUid } from "../../../../schemas/ids.ts"
import { PrescriptionStatusShown } from "../../../../schemas/prescriptions/PrescriptionStates.ts"
import { pageOf } from "../../../shared/http/query.ts"
import { PrescriptionPage } from "../../pages/practice/PrescriptionPage.tsx"
import { PrescriptionsListPage } from "../../pages/practice/PrescriptionsListPage.tsx"
import type { Visitor } from "../serving/visitor.ts"

const PAGE_SIZE = 50

export const prescriptions = Effect.fn("console.prescriptions")(function* ({ api, query, texts }: Visitor) {
  const { timezone: zone } = yield* api["organisation.settings"].one({})
  const title = texts.practice.pages.prescriptions
  const uid = query.get("uid")?.trim() ?? ""
  if (uid !== "") {
    const found = yield* api["management.prescriptions"].get({ path: { prescription_uid: PrescriptionUid.make(uid) } })
    return { title, zone, documents: true, body: <PrescriptionPage prescription={found} /> }
  }
  const page = pageOf(query)
  const status = PrescriptionStatusShown.literals.find((one) => one === query.get("status")) ?? null
  const search = query.get("search")?.trim() ?? ""
  const patient = query.get("patient")
  const { data, totalPages, totalRegistries } = yield* api["management.prescriptions"].list({
    urlParams: {
      page,
      limit: PAGE_SIZE,
      ...(status !== null && { status }),
      ...(search !== "" && { search }),
      ...(patient !== null && patient !== "" && { patient_uid: PatientUid.make(patient) })
    }
  })
  return {
    title,
    zone,
    body: (
      <PrescriptionsListPage
        prescriptions={data}
        status={status}
        search={search}
        total={totalRegistries}
        page={page}
        pages={totalPages}
      />
    )
  }
})
