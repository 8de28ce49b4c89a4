/**
 * How many requests of an organisation wait for its shops at once. An organisation names its shops' addresses itself, and a shop may take
 * a minute to answer: meanwhile each request holds its body.
 */
import { Effect } from "effect"
import { inTime, makeTurns } from "../turns.ts"

/** In a process; as many more wait for their turn. */
export const SHOP_REQUESTS = 64

export class ShopTurns extends Effect.Service<ShopTurns>()("checkout/ShopTurns", {
  sync: () => {
    const turnOf = makeTurns(SHOP_REQUESTS, SHOP_REQUESTS)

    /** Runs `work` when there is room for it. What comes beyond, or after 20 seconds, is not begun: a defect, `Overloaded`. */
    const within =
      (organisation_uid: string) =>
      <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        inTime((begun) => turnOf(organisation_uid)(begun), work)

    return { within } as const
  }
}) {}
