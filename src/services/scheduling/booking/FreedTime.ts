/**
 * Time that becomes free is offered to the waiting list in the transaction that frees it. Bookings and calendars tell it here; the waiting
 * list, which itself books, says at its start what is to be done.
 */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { CurrentTenant } from "../../tenancy/Tenancy.ts"

interface Handler {
  readonly settle: (owner: OrganisationUid) => Effect.Effect<void, never, CurrentTenant>
  readonly around: <A, E, R>(
    owner: OrganisationUid,
    doctors: ReadonlyArray<DoctorUid> | undefined,
    change: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R | CurrentTenant>
}

export class FreedTime extends Effect.Service<FreedTime>()("scheduling/FreedTime", {
  sync: () => {
    let handler: Handler = { settle: () => Effect.void, around: (_owner, _doctors, change) => change }
    const around = <A, E, R>(
      owner: OrganisationUid,
      doctors: ReadonlyArray<DoctorUid> | undefined,
      change: Effect.Effect<A, E, R>
    ) => Effect.suspend(() => handler.around(owner, doctors, change))
    return {
      /** Offers what the organisation's appointments have given back; within the transaction that has changed them. */
      settle: (owner: OrganisationUid) => Effect.suspend(() => handler.settle(owner)),
      /** Runs a change of hours of these doctors (undefined: all), and offers the time that it opens, in one transaction. */
      around,
      /** The same for a change of something of which `doctors` says whose hours it decides on. */
      offering:
        <Whose>(doctors: (whose: Whose) => ReadonlyArray<DoctorUid> | undefined) =>
        <Rest extends ReadonlyArray<unknown>, A, E, R>(
          change: (owner: OrganisationUid, whose: Whose, ...rest: Rest) => Effect.Effect<A, E, R>
        ) =>
        (owner: OrganisationUid, whose: Whose, ...rest: Rest) =>
          around(owner, doctors(whose), change(owner, whose, ...rest)),
      handledBy: (given: Handler) =>
        Effect.sync(() => {
          handler = given
        })
    } as const
  }
}) {}
