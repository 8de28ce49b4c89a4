import { Effect } from "effect"
import { Admission, type RequestParty } from "../../src/http/admission/Admission.ts"

/** Runs the effect as a request of this party, which is not limited. */
export const asParty = (party: RequestParty) =>
  Effect.provideService(Admission, {
    admit: () => Effect.void,
    admitAddress: Effect.void,
    begin: () => Effect.void,
    ensure: Effect.void,
    party: () => party,
    refuse: Effect.void
  })
