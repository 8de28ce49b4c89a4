/** Allocates lines of pharmacy orders to items of prescriptions, so that no more is dispensed than is prescribed (Rule 9.6). */
import { Effect } from "effect"
import { system } from "../../schemas/access/Actor.ts"
import { PrescriptionUid } from "../../schemas/ids.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { isDispensable } from "../../schemas/prescriptions/PrescriptionStates.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { Service } from "../Service.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import { newUid } from "../uid.ts"
import { allocate } from "./allocate.ts"
import { type OrderLine, type OrderRef, PrescriptionsRepo } from "./PrescriptionsRepo.ts"

/** A line of an order that has changed, with the questionnaire for the doctor. */
export type RefilledLine = OrderLine & { readonly anamnesis_uid: string | null }

export class Dispensing extends Service<Dispensing>()("prescriptions/Dispensing", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    /**
     * Whether the prescription is signed, neither completed nor cancelled, and covers these lines. Locks it, so that the answer is valid
     * until the caller's transaction ends. False if it does not exist.
     */
    const canFill = Effect.fn("Dispensing.canFill")(
      function* (ref: PrescriptionRef, lines: ReadonlyArray<Omit<OrderLine, "uid">>) {
        const { status } = yield* repo.lockStatus(ref)
        return isDispensable(status) && allocate(yield* repo.itemsLeft(ref), lines) !== undefined
      },
      Effect.catchTag("PrescriptionNotFound", () => Effect.succeed(false))
    )

    /** Allocates the lines of a new order that `canFill` has allowed, or whose prescription was created for it. */
    const fill = Effect.fn("Dispensing.fill")(
      function* (ref: PrescriptionRef, order: OrderRef, lines: ReadonlyArray<OrderLine>) {
        yield* repo.lockStatus(ref)
        const bound = allocate(yield* repo.itemsLeft(ref), lines)
        if (bound === undefined) return yield* Effect.dieMessage("the prescription does not cover the order")
        yield* repo.dispense(ref, order, bound)
      },
      Effect.orDie,
      transaction
    )

    /** Opens a waiting prescription again with other items: its PDF may exist, so it is cancelled. Returns the new one's uid. */
    const reopen = Effect.fnUntraced(function* (ref: PrescriptionRef, lines: ReadonlyArray<RefilledLine>) {
      const uid = yield* newUid(PrescriptionUid)
      const stored = yield* repo.find(ref)
      const now = yield* clock.now
      yield* repo.move(stored, "cancel", "CANCELLED", system, now, "The shop has changed the order that carries it")
      const items = lines.map(({ sku_uid, quantity, anamnesis_uid }) => ({
        sku_uid,
        quantity,
        dosage: null,
        anamnesis_uid
      }))
      const { organisation_uid, shop_uid, doctor, patient } = stored
      const doctor_uid = doctor?.uid ?? null
      yield* repo.insert({ uid, organisation_uid, shop_uid, doctor_uid, patient, items }, stored.status, null, now)
      return uid
    })

    /**
     * Dispenses these lines of an order instead of its earlier ones. Returns the prescription, which is another one if the first waits for
     * a doctor; null if it does not cover the lines, and then nothing has changed.
     */
    const refill = Effect.fn("Dispensing.refill")(
      function* (ref: PrescriptionRef, order: OrderRef, lines: ReadonlyArray<RefilledLine>) {
        const { status } = yield* repo.lockStatus(ref)
        const waits = status === "WAITING_FOR_DOCTOR"
        const bound = allocate(yield* repo.itemsLeft(ref, order), lines)
        if (!waits && (!isDispensable(status) || bound === undefined)) return null
        yield* repo.release(ref, order)
        const prescription_uid = waits ? yield* reopen(ref, lines) : ref.prescription_uid
        yield* fill({ ...ref, prescription_uid }, order, lines)
        return prescription_uid
      },
      Effect.catchTag("PrescriptionNotFound", () => Effect.succeed(null)),
      transaction
    )

    /** Releases the quantities of an order that was rejected or cancelled. */
    const release = Effect.fn("Dispensing.release")(
      function* (ref: PrescriptionRef, order: OrderRef) {
        yield* repo.lockStatus(ref)
        yield* repo.release(ref, order)
      },
      Effect.catchTag("PrescriptionNotFound", () => Effect.void),
      transaction
    )

    /**
     * Cancels a prescription that waits for a doctor when its order was cancelled, unless another order carries it. `isCarried` is
     * evaluated under the lock, so that of two concurrent cancellations the later one sees the other (Rule 9.6.4). No-op for other
     * statuses.
     */
    const withdraw = Effect.fn("Dispensing.withdraw")(
      function* (ref: PrescriptionRef, isCarried: Effect.Effect<boolean, never, CurrentTenant>) {
        const stored = yield* repo.lockStatus(ref)
        if (stored.status !== "WAITING_FOR_DOCTOR" || (yield* isCarried)) return
        yield* repo.move(
          stored,
          "cancel",
          "CANCELLED",
          system,
          yield* clock.now,
          "The order that carries it was cancelled"
        )
      },
      Effect.catchTag("PrescriptionNotFound", () => Effect.void),
      transaction
    )

    /**
     * Whether it is waiting for a doctor, or was cancelled, with or without an earlier signature. Locks it, so that the answer is valid
     * until the caller's transaction ends.
     */
    const undispensable = Effect.fn("Dispensing.undispensable")(
      function* (ref: PrescriptionRef) {
        const { status } = yield* repo.lockStatus(ref)
        if (status === "WAITING_FOR_DOCTOR") return "waiting" as const
        if (status !== "CANCELLED") return null
        return (yield* repo.wasSigned(ref)) ? ("cancelled" as const) : ("cancelled_unsigned" as const)
      },
      Effect.catchTag("PrescriptionNotFound", () => Effect.succeed(null))
    )

    return { canFill, fill, refill, release, withdraw, undispensable } as const
  }),
  dependencies: [PrescriptionsRepo.Default]
}) {}
