/** Changes of hours, which may open time: what capabilities do about that (`Extensions`) is done around the change, in one transaction. */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Extensions } from "../../Extensions.ts"
import type { CurrentTenant } from "../../tenancy/Tenancy.ts"

export class FreedTime extends Effect.Service<FreedTime>()("scheduling/FreedTime", {
  effect: Effect.map(Extensions, ({ having }) => {
    /** Runs a change of hours of these doctors; undefined: all. */
    const around = <A, E, R>(
      owner: OrganisationUid,
      doctors: ReadonlyArray<DoctorUid> | undefined,
      change: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R | CurrentTenant> =>
      Effect.flatMap(having("aroundHours"), (some) =>
        some.reduceRight<Effect.Effect<A, E, R | CurrentTenant>>(
          (inner, { aroundHours }) => aroundHours(owner, doctors, inner),
          change
        )
      )
    return {
      around,
      /** The same for a change of something of which `doctors` says whose hours it decides on. */
      offering:
        <Whose>(doctors: (whose: Whose) => ReadonlyArray<DoctorUid> | undefined) =>
        <Rest extends ReadonlyArray<unknown>, A, E, R>(
          change: (owner: OrganisationUid, whose: Whose, ...rest: Rest) => Effect.Effect<A, E, R>
        ) =>
        (owner: OrganisationUid, whose: Whose, ...rest: Rest) =>
          around(owner, doctors(whose), change(owner, whose, ...rest))
    } as const
  })
}) {}
