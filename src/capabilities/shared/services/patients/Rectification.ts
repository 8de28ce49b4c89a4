/** Rectification of a patient's data under Article 16 GDPR (Rules 12.1.6 and 12.2.12). */
import { Effect } from "effect"
import type { OrganisationUid, PatientUid } from "../../../../schemas/ids.ts"
import { Database } from "../../../../services/database/Database.ts"
import { OrdersRepo } from "../../../../services/pharmacy/OrdersRepo.ts"
import { PrescriptionsRepo } from "../../../../services/prescriptions/PrescriptionsRepo.ts"
import { Service } from "../../../../services/Service.ts"
import type { PatientChanges } from "../../schemas/PatientBodies.ts"
import { Belongings } from "./Belongings.ts"
import { PatientRecords } from "./PatientRecords.ts"

/** Fields by which records without the patient's uid are matched. */
const IDENTIFYING = ["first_name", "last_name", "date_of_birth", "email", "phone"] as const
type Identity = Readonly<Partial<Record<(typeof IDENTIFYING)[number], unknown>>>

/** Whether one of these fields changes. Only then are the organisation's records searched. */
const isOtherPerson = (before: Identity, changes: Identity) =>
  IDENTIFYING.some((field) => changes[field] !== undefined && changes[field] !== before[field])

export class Rectification extends Service<Rectification>()("rights/Rectification", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const records = yield* PatientRecords
    const belongings = yield* Belongings
    const prescriptions = yield* PrescriptionsRepo
    const orders = yield* OrdersRepo

    /**
     * Updates the fields sent, also within the profile. Prescriptions and orders matched by the old name stay assigned to the patient.
     * Fails as `PatientRecords.update`.
     */
    const update = Effect.fn("Rectification.update")(function* (
      owner: OrganisationUid,
      uid: PatientUid,
      changes: PatientChanges
    ) {
      const before = changes.profile === undefined ? undefined : yield* records.findForChange(owner, uid)
      if (before !== undefined && isOtherPerson(before.profile, { ...changes.profile })) {
        const linked = yield* belongings.recorded(owner, before)
        if (linked.prescription_uids.length > 0)
          yield* prescriptions.assignPatient(owner, uid, linked.prescription_uids)
        if (linked.orders.length > 0) yield* orders.assignPatient(owner, uid, linked.orders)
      }
      return yield* records.update(owner, uid, changes)
    }, transaction)

    return { update } as const
  }),
  dependencies: [Belongings.Default, OrdersRepo.Default, PatientRecords.Default, PrescriptionsRepo.Default]
}) {}
