/**
 * Turns storefronts' order webhooks into pharmacy orders and prescriptions (Rule 11.7). One transaction per webhook records and processes
 * it; if that fails, the storefront sends it again.
 */
import { Effect, Either, Schema } from "effect"
import { WaitingOrderNotFound } from "../../../../schemas/checkout/errors.ts"
import type { StorefrontSettings } from "../../../../schemas/checkout/StorefrontSettings.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import { invalid, Unauthenticated } from "../../../../schemas/problems.ts"
import { type Shop, Shops } from "../../../../services/checkout/Shops.ts"
import { type Attributes, Storefronts } from "../../../../services/checkout/Storefront.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { Service } from "../../../../services/Service.ts"
import { Owners } from "../../../../services/tenancy/Owners.ts"
import { onlyOwner } from "../../../../services/tenancy/Tenancy.ts"
import {
  type OrderNotice,
  OrderTopic,
  OrderWebhook,
  REFUND_TOPIC,
  RefundWebhook,
  type WaitingReason
} from "../../schemas/OrderWebhook.ts"
import { isSignedBy } from "./hmac.ts"
import { IntakeRepo, type Progress, type Refunds } from "./IntakeRepo.ts"
import { OrderMaker } from "./OrderMaker.ts"
import { isCancelled, needsGroups, numberOf, progressOf, receivedFor, refundOf, updatedAt } from "./orderContents.ts"
import { flagsOf } from "./properties.ts"

/** A webhook as received. */
export interface SignedWebhook {
  /** Domain of the sending shop, empty if not named. */
  readonly shop_domain: string
  readonly topic: string
  readonly webhook_id: string
  readonly signature: string
  readonly body: string
}

/** Hints for an operator by reason. */
const actions: Readonly<Record<WaitingReason, string>> = {
  no_pharmacy: "no pharmacy carries every line; give the shop a default pharmacy, or one pharmacy these SKUs",
  prescription_not_usable: "a prescription that a line names is not signed, or does not cover the line; ask the shop",
  anamnesis_required:
    "the shop demands an anamnesis for an article, and its line has none; cancel the order, or release it"
}

const hashOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex")

/**
 * Hash that identifies a repeated body. Shopify's bodies say whether the order is cancelled; for a body that does not, the topic decides,
 * so that the same body under `orders/cancelled` is not a repeat.
 */
const bodyHash = (topic: OrderTopic, { cancelled_at }: OrderWebhook, body: string) =>
  hashOf(topic === "orders/cancelled" && cancelled_at === undefined ? `${topic} ${body}` : body)

/** A verified webhook about a refund. */
interface RefundNotice extends Pick<OrderNotice, "webhook_id" | "body_sha256"> {
  readonly topic: string
  readonly refund: RefundWebhook
}

type StoredOrder = Effect.Effect.Success<ReturnType<IntakeRepo["lock"]>>

/**
 * Whether something newer of the order is known. The shop's own time decides; at one time, or without one, how far the payment has come.
 */
const isOutdated = (stored: StoredOrder, notice: OrderNotice) => {
  const updated = updatedAt(notice.order)
  if (updated !== null && stored.updated_at !== null && updated !== stored.updated_at)
    return updated < stored.updated_at
  return !isCancelled(notice) && progressOf(notice.order) < stored.progress
}

/** The known refunds after a newer body: its own are listed. A body without the field is taken to contain all. */
const refundsAfter = (known: Refunds, { refunds }: OrderWebhook): Refunds => {
  const isListed = refunds === null
  const before = Object.entries(known).map(([id, refund]) => [id, { ...refund, listed: isListed }] as const)
  const listed = (refunds ?? []).map((refund) => {
    const { refund_id, ...given } = refundOf(refund)
    return [refund_id, { ...given, listed: true }] as const
  })
  return Object.fromEntries([...before, ...listed])
}

const sumOf = (refunds: Refunds) => ({
  refunded: Object.values(refunds).reduce((sum, { amount }) => sum + amount, 0),
  unlisted: Object.values(refunds).some(({ returnsPieces, listed }) => returnsPieces && !listed)
})

/**
 * Whether the webhook is of another Shopify shop than that of its path. An app signs the webhooks of all its shops with one secret, and
 * each of them may choose the address.
 */
const isFromAnother = (settings: StorefrontSettings, sender: string) => {
  if (settings.kind !== "shopify" || sender === "") return false
  const { shop_domain } = settings
  const host = URL.parse(shop_domain.includes("://") ? shop_domain : `https://${shop_domain}`)?.hostname
  return host?.endsWith(".myshopify.com") === true && host !== sender.toLowerCase()
}

const decodeRefund = Schema.decodeUnknownEither(Schema.parseJson(RefundWebhook))
const decodeOrder = Schema.decodeUnknownEither(Schema.parseJson(OrderWebhook))
const isTopic = Schema.is(OrderTopic)

export class OrderIntake extends Service<OrderIntake>()("checkout/OrderIntake", {
  effect: Effect.gen(function* () {
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const repo = yield* IntakeRepo
    const maker = yield* OrderMaker
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const owners = yield* Owners

    /** Brings an order's pharmacy orders to its present state; stores it as waiting where that is not possible, and returns the reason. */
    const followOrWait = Effect.fnUntraced(function* (shop: Shop, notice: OrderNotice, stored: StoredOrder) {
      const order_id = numberOf(notice.order)
      const { cancelled, parts, received, refunds, anamnesis_waived, waiting } = stored
      const order = { ...notice, cancelled, parts, received, anamnesis_waived, ...sumOf(refunds) }
      const reason = yield* Effect.catchTags(Effect.as(maker.follow(shop, order), null), {
        NoPharmacy: () => Effect.succeed("no_pharmacy" as const),
        PrescriptionNotUsable: () => Effect.succeed("prescription_not_usable" as const),
        AnamnesisRequired: () => Effect.succeed("anamnesis_required" as const)
      })
      if (reason !== null) yield* repo.wait(shop, order_id, notice, reason)
      else if (waiting !== null) yield* repo.stopWaiting(shop, order_id)
      return reason
    })

    /**
     * Processes a webhook once: a repeated webhook id, a repeated body and a body older than the latest one are no-ops. Webhooks may
     * arrive in any order. Returns the reason for which the order has to wait, or null.
     */
    const record = Effect.fn("OrderIntake.record")(function* (shop: Shop, notice: OrderNotice) {
      const { order } = notice
      if (!(yield* repo.note(shop, notice))) return null
      const order_id = numberOf(order)
      const stored = yield* repo.lock(shop, order_id)
      if (isOutdated(stored, notice)) return null
      const seen: Progress = {
        updated_at: updatedAt(order),
        progress: progressOf(order),
        received: receivedFor(order),
        refunds: refundsAfter(stored.refunds, order)
      }
      yield* repo.saw(shop, order_id, seen)
      const cancelled = stored.cancelled || isCancelled(notice)
      if (cancelled) yield* repo.markCancelled(shop, order_id)
      return yield* followOrWait(shop, notice, { ...stored, ...seen, cancelled, ...(cancelled && { waiting: null }) })
    }, transaction)

    /** Processes a refund once: its money is no longer the pharmacies', and what it returns is not delivered before the order says so. */
    const recordRefund = Effect.fn("OrderIntake.recordRefund")(function* (
      shop: Shop,
      { refund, ...webhook }: RefundNotice
    ) {
      if (!(yield* repo.note(shop, webhook))) return
      const order_id = String(refund.order_id)
      const stored = yield* repo.lock(shop, order_id)
      const { refund_id, ...given } = refundOf(refund)
      if (Object.hasOwn(stored.refunds, refund_id)) return
      const refunds = { ...stored.refunds, [refund_id]: { ...given, listed: false } }
      yield* repo.saw(shop, order_id, { ...stored, refunds })
      yield* maker.refunded(shop, order_id, { ...stored, ...sumOf(refunds) })
    }, transaction)

    const retry = Effect.fn("OrderIntake.retry")(function* (shop_identifier: string, order_id: string) {
      const shop = yield* Effect.orDie(shops.byIdentifier(shop_identifier))
      const stored = yield* repo.lock(shop, order_id)
      if (stored.waiting !== null) yield* followOrWait(shop, stored.waiting, stored)
    }, transaction)

    /** Makes an order that waits for an anamnesis without one. Fails with `ShopNotFound` or `WaitingOrderNotFound`. */
    const release = Effect.fn("OrderIntake.release")(function* (shop_identifier: string, order_id: string) {
      const shop = yield* shops.byIdentifier(shop_identifier)
      if (!(yield* repo.waiveAnamnesis(shop, order_id))) return yield* new WaitingOrderNotFound()
      yield* retry(shop_identifier, order_id)
    }, transaction)

    const retryOf = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const waiting = yield* repo.waitingNames(owner)
      yield* Effect.forEach(
        waiting,
        ({ shop_identifier, order_id }) =>
          Effect.catchAllCause(onlyOwner({})(retry(shop_identifier, order_id)), (cause) =>
            Effect.logError("a waiting order could not be tried again", cause)
          ),
        { discard: true }
      )
      return waiting.length
    })

    /** Retries the waiting orders one after another; returns how many were waiting. Safe to run in parallel. */
    const retryWaiting = Effect.fn("OrderIntake.retryWaiting")(function* () {
      return yield* owners.eachDue("waiting_orders", yield* clock.now, retryOf)
    })

    const groupsFor = (shop: Shop, order: OrderWebhook) =>
      shop.storefront_kind === "shopify" && needsGroups(order)
        ? storefronts.of(shop).pipe(
            Effect.flatMap((storefront) => storefront.lineGroups(numberOf(order))),
            Effect.map((groups) => new Map([...groups].map(([line, properties]) => [line, flagsOf(properties)])))
          )
        : Effect.succeed(new Map<string, Attributes>())

    /**
     * Receives a webhook. Other topics and repeated webhooks are ignored. Fails with `ShopNotFound`, `Unauthenticated` for a wrong
     * signature or another shop's webhook, `Invalid` for JSON that is not an order, or `StorefrontUnavailable`.
     */
    const receive = Effect.fn("OrderIntake.receive")(function* (shop_identifier: string, webhook: SignedWebhook) {
      const shop = yield* shops.byIdentifier(shop_identifier)
      const settings = yield* shops.settings(shop)
      const { webhook_secret } = settings
      if (webhook_secret === null || !isSignedBy(webhook_secret, webhook.body, webhook.signature))
        return yield* new Unauthenticated({ reason: "The signature does not fit the body and the shop's secret" })
      if (isFromAnother(settings, webhook.shop_domain))
        return yield* new Unauthenticated({ reason: "X-Shopify-Shop-Domain names another shop than that of the path" })
      const { topic, webhook_id } = webhook
      if (webhook_id === "") return yield* invalid("X-Shopify-Webhook-Id", "is required")
      if (topic === REFUND_TOPIC) {
        const refund = decodeRefund(webhook.body)
        if (Either.isLeft(refund)) return yield* invalid("body", "must be a refund in Shopify's JSON")
        return yield* recordRefund(shop, { topic, webhook_id, body_sha256: hashOf(webhook.body), refund: refund.right })
      }
      if (!isTopic(topic) || (yield* repo.wasSeen(shop, webhook_id))) return
      const order = decodeOrder(webhook.body)
      if (Either.isLeft(order)) return yield* invalid("body", "must be an order in Shopify's JSON")
      const body_sha256 = bodyHash(topic, order.right, webhook.body)
      const groups = yield* groupsFor(shop, order.right)
      const reason = yield* record(shop, { topic, webhook_id, body_sha256, order: order.right, groups })
      if (reason !== null)
        yield* Effect.logError(`an order waits: ${actions[reason]}`, { shop: shop.shop_uid, order: order.right.name })
    })

    return { receive, record, release, retryWaiting, waiting: repo.waiting } as const
  }),
  dependencies: [Shops.Default, IntakeRepo.Default, OrderMaker.Default]
}) {}
