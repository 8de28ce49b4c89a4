import { Effect } from "effect"
import { type DeliveryUid, SubscriptionUid } from "../../../../schemas/ids.ts"
import { type ShownDelivery, Webhooks, type WebhooksProps } from "../../pages/parts/Webhooks.tsx"
import type { Visitor } from "./visitor.ts"

type Delivery = ShownDelivery & { readonly uid: DeliveryUid }

export const DELIVERIES_SHOWN = 30

/** The deliveries of one subscription, and one of them with its payload. */
interface Reads<E, R, E2, R2> {
  readonly deliveries: (of: SubscriptionUid) => Effect.Effect<{ readonly data: ReadonlyArray<Delivery> }, E, R>
  readonly delivery: (of: SubscriptionUid, uid: DeliveryUid) => Effect.Effect<{ readonly payload: unknown }, E2, R2>
}

/** The page of subscriptions, with the deliveries and the payload that its query names. */
export const webhooksPage = Effect.fn("console.webhooks")(function* <E, R, E2, R2>(
  { query }: Visitor,
  props: Omit<WebhooksProps, "chosen" | "deliveries" | "payload">,
  read: Reads<E, R, E2, R2>
) {
  const chosen = query.get("subscription")
  const of = SubscriptionUid.make(chosen ?? "", true)
  const deliveries = chosen === null ? [] : (yield* read.deliveries(of)).data
  const named = deliveries.find(({ uid }) => uid === query.get("delivery"))
  const payload =
    named === undefined
      ? null
      : { uid: named.uid, json: JSON.stringify((yield* read.delivery(of, named.uid)).payload, null, 2) }
  return {
    title: props.title,
    body: <Webhooks {...props} chosen={chosen} deliveries={deliveries} payload={payload} />
  }
})
