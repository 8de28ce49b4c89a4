import { Effect } from "effect"
import { PrescriptionPage } from "../../../pages/console/practice/PrescriptionPage.tsx"
import { PrescriptionUid } from "../../../schemas/ids.ts"
import type { Visitor } from "../serving/Console.tsx"

/** Looks up one prescription by its uid. */
export const prescriptions = Effect.fn("console.prescription")(function* ({ api, query, texts }: Visitor) {
  const uid = query.get("uid")?.trim() ?? ""
  const { timezone } = yield* api["organisation.settings"].one({})
  const found =
    uid === ""
      ? null
      : yield* api["management.prescriptions"].get({ path: { prescription_uid: PrescriptionUid.make(uid) } })
  return {
    title: texts.practice.pages.prescriptions,
    zone: timezone,
    documents: true,
    body: <PrescriptionPage prescription={found} uid={uid} />
  }
})
