/** Correcting what is kept of a patient, as Article 16 GDPR asks (Rules 12.1.6 and 12.2.12). */
import { Effect } from "effect"
import type { PatientChanges } from "../../schemas/access/Patient.ts"
import type { OrganisationUid, PatientUid } from "../../schemas/ids.ts"
import { PatientRecords } from "../access/PatientRecords.ts"
import { Database } from "../database/Database.ts"
import { OrdersRepo } from "../pharmacy/OrdersRepo.ts"
import { PrescriptionsRepo } from "../prescriptions/PrescriptionsRepo.ts"
import { Belongings } from "./Belongings.ts"

export class Rectification extends Effect.Service<Rectification>()("patients/Rectification", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const records = yield* PatientRecords
    const belongings = yield* Belongings
    const prescriptions = yield* PrescriptionsRepo
    const orders = yield* OrdersRepo

    /**
     * Changes what is sent; of the profile, the fields that are sent. Prescriptions and orders that were the patient's by name stay
     * the patient's under another one. Fails as `PatientRecords.update` does.
     */
    const update = Effect.fn("Rectification.update")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      changes: PatientChanges
    ) {
      if (changes.profile !== undefined) {
        const before = yield* records.findForChange(owner, uid)
        const linked = yield* belongings.recorded(owner, before)
        if (linked.prescription_uids.length > 0) yield* prescriptions.keepFor(owner, uid, linked.prescription_uids)
        if (linked.orders.length > 0) yield* orders.keepFor(owner, uid, linked.orders)
      }
      return yield* records.update(owner, uid, changes)
    }, transaction)

    return { update } as const
  }),
  dependencies: [
    Belongings.Default,
    Database.Default,
    OrdersRepo.Default,
    PatientRecords.Default,
    PrescriptionsRepo.Default
  ]
}) {}
