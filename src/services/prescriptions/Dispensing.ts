/** Allocates lines of pharmacy orders to items of prescriptions, so that no more is dispensed than is prescribed (Rule 9.6). */
import { Effect } from "effect"
import { system } from "../../schemas/access/Actor.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { isDispensable } from "../../schemas/prescriptions/PrescriptionStates.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { allocate } from "./allocate.ts"
import { type OrderLine, type OrderRef, PrescriptionsRepo } from "./PrescriptionsRepo.ts"

export class Dispensing extends Effect.Service<Dispensing>()("prescriptions/Dispensing", {
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
      function* (ref: PrescriptionRef, isCarried: Effect.Effect<boolean>) {
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

    return { canFill, fill, release, withdraw, undispensable } as const
  }),
  dependencies: [PrescriptionsRepo.Default, DomainClock.Default, Database.Default]
}) {}
