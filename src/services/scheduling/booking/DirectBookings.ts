/** Booking without a hold, with a given doctor or one who is free (Rule 4.9). */
import { Effect } from "effect"
import type { DoctorUid } from "../../../schemas/ids.ts"
import { SlotTaken } from "../../../schemas/scheduling/errors.ts"
import { type Claim, Idempotency } from "../../Idempotency.ts"
import { Service } from "../../Service.ts"
import { type BookingScope, HoldManager, type RequestedSlot } from "./HoldManager.ts"

/** A slot whose doctor is optional. */
export type RequestedTime = Omit<RequestedSlot, "doctor_uid"> & { readonly doctor_uid?: DoctorUid }

export class DirectBookings extends Service<DirectBookings>()("scheduling/DirectBookings", {
  effect: Effect.gen(function* () {
    const holds = yield* HoldManager
    const { once } = yield* Idempotency

    /**
     * Runs `take`, which books in one transaction, for each free doctor until what it books is not taken. Fails as `take`,
     * `SlotEngine.freeDoctors` and `Idempotency.once`; with the error of the first doctor where it is taken with every one.
     */
    const book = Effect.fn("DirectBookings.book")(function* <A, I, E, R>(
      place: BookingScope,
      wanted: RequestedTime,
      claim: Claim<A, I>,
      take: (slot: RequestedSlot) => Effect.Effect<A, E, R>,
      isTaken: (error: unknown) => boolean = (error) => error instanceof SlotTaken
    ) {
      const attempt = (doctor_uid: DoctorUid) =>
        holds.queued(place, doctor_uid, once(claim, take({ ...wanted, doctor_uid })))
      if (wanted.doctor_uid !== undefined) return yield* attempt(wanted.doctor_uid)
      const free = yield* Effect.either(holds.freeDoctors(place, wanted))
      // a replay gets the first answer, although its own booking has taken the slot
      if (free._tag === "Left") return yield* once(claim, Effect.fail(free.left))
      let first: Effect.Effect.Error<ReturnType<typeof attempt>> | undefined
      for (const doctor_uid of free.right) {
        const done = yield* Effect.either(attempt(doctor_uid))
        if (done._tag === "Right") return done.right
        if (!isTaken(done.left)) return yield* Effect.fail(done.left)
        first ??= done.left
      }
      return yield* Effect.fail(first ?? new SlotTaken())
    })
    return { book } as const
  }),
  dependencies: [HoldManager.Default]
}) {}
