import { Effect } from "effect"
import type { DeliveryUid } from "../../../schemas/ids.ts"

/** The payload of the delivery that the query names; null if it names none of `deliveries`. */
export const payloadOf = <E, R>(
  query: URLSearchParams,
  deliveries: ReadonlyArray<{ readonly uid: DeliveryUid }>,
  read: (uid: DeliveryUid) => Effect.Effect<{ readonly payload: unknown }, E, R>
) => {
  const named = deliveries.find(({ uid }) => uid === query.get("delivery"))
  return named === undefined
    ? Effect.succeed(null)
    : Effect.map(read(named.uid), ({ payload }) => ({ uid: String(named.uid), json: JSON.stringify(payload, null, 2) }))
}
