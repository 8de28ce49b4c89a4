/** Runs one history against the service, and checks after each step what must never happen. */
import { expect } from "bun:test"
import { Effect } from "effect"
import { webhookHmac } from "../../../../src/capabilities/shared/services/intake/hmac.ts"
import { OrderIntake } from "../../../../src/capabilities/shared/services/intake/OrderIntake.ts"
import type { PharmacyOrderUid, PharmacyUid } from "../../../../src/schemas/ids.ts"
import type { PharmacyOrder } from "../../../../src/schemas/pharmacy/PharmacyOrder.ts"
import { isVoid, type PharmacyOrderStatus } from "../../../../src/schemas/pharmacy/PharmacyOrderStates.ts"
import { Orders } from "../../../../src/services/pharmacy/Orders.ts"
import { Routing } from "../../../../src/services/pharmacy/Routing.ts"
import type { ShopWorld } from "../../../checkout/support/shop.ts"
import type { Services, TestServer } from "../../../support/server.ts"
import { random } from "../../../support/world.ts"
import type { History, Step } from "./histories.ts"
import { type Article, piecesKey, ShopifyOrder, type Snapshot, type Webhook } from "./shopifyOrder.ts"

export interface Counts {
  webhooks: number
  shipped: number
  completed: number
  held: number
  accepted: number
  routed: number
}

interface PartRow {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
  readonly prescription: string
}

const WORK: Readonly<Partial<Record<PharmacyOrderStatus, PharmacyOrderStatus>>> = {
  new: "accepted",
  accepted: "in_preparation",
  in_preparation: "shipped"
}

const ATTEMPTS = 20
/** On a busy machine the database may not answer in time: shops and pharmacies then ask again. */
const isLate = (error: unknown) =>
  /acquire connection|lock timeout|statement timeout|timeout expired/.test(Bun.inspect(error))

/** A statement of the test's own, past the service. */
export type Ask = <Row extends object = Record<string, unknown>>(
  text: string,
  values: ReadonlyArray<unknown>
) => Promise<ReadonlyArray<Row>>

export const live = async (server: TestServer, ask: Ask, shop: ShopWorld, history: History, counts: Counts) => {
  const run: TestServer["run"] = async (program) => {
    for (let attempt = 1; ; attempt++)
      try {
        return await server.run(program)
      } catch (error) {
        if (attempt === ATTEMPTS || !isLate(error)) throw error
      }
  }
  const articles: ReadonlyArray<Article> = Object.values(shop.skus).map(({ uid, variant, selling_price: price }) => ({
    uid,
    variant,
    price
  }))
  const prescription = random("prx")
  await ask(
    `INSERT INTO prescriptions (organisation_uid, uid, shop_uid, status, first_name, last_name, created_at, updated_at)
     VALUES ($1, $2, $3, 'SIGNED', 'Pia', 'Patient', now(), now())`,
    [shop.organisation_uid, prescription, shop.shop_uid]
  )
  await ask(
    `INSERT INTO prescription_items (organisation_uid, prescription_uid, uid, position, sku_uid, quantity)
     VALUES ($1, $2, $2 || '_1', 1, $3, 4)`,
    [shop.organisation_uid, prescription, shop.skus.drops.uid]
  )

  const order = new ShopifyOrder({ transaction_id: random("tr") })
  for (const { article, quantity, prescribed } of history.lines)
    order.add(articles[article] as Article, quantity, prescribed && article === 0 ? prescription : null)

  const queue: Array<Webhook> = [order.webhook("orders/create")]
  const sent: Array<Webhook> = []
  /** What the service has been told: the newest order, and refunds. */
  let newest: Snapshot | null = null
  const refunds = new Map<number, { readonly amount: number; readonly returnsPieces: boolean }>()

  const isNewer = (one: Snapshot) => {
    if (newest === null) return true
    if (one.updated_at !== newest.updated_at) return one.updated_at > newest.updated_at
    return one.cancelled || one.progress >= newest.progress
  }
  const unlisted = () => [...refunds].filter(([id]) => newest === null || !newest.refunds.includes(id))
  /** What has been paid less what was refunded, as far as the service can know. */
  const knownNet = () => {
    if (newest === null || !["paid", "partially_refunded"].includes(newest.status)) return 0
    return newest.net - unlisted().reduce((sum, [, { amount }]) => sum + amount, 0)
  }

  const deliver = async (webhook: Webhook, webhook_id = webhook.webhook_id) => {
    counts.webhooks++
    await run(
      Effect.flatMap(OrderIntake, (intake) =>
        intake.receive(shop.shop_identifier, {
          shop_domain: "",
          topic: webhook.topic,
          webhook_id,
          signature: webhookHmac(shop.webhook_secret, webhook.body),
          body: webhook.body
        })
      )
    )
    if (webhook.order !== null && isNewer(webhook.order)) newest = webhook.order
    if (webhook.refund !== null) refunds.set(webhook.refund.id, webhook.refund)
  }

  /** What the pharmacy does with an order, or why not. */
  const pharmacy = <A, E>(
    { pharmacy_uid, pharmacy_order_uid }: PartRow,
    act: (orders: Orders, own: PharmacyUid, uid: PharmacyOrderUid) => Effect.Effect<A, E, Services>
  ) => run(Effect.flatMap(Orders, (orders) => Effect.either(act(orders, pharmacy_uid, pharmacy_order_uid))))
  const ids = [shop.organisation_uid, shop.shop_uid, String(order.id)]
  const parts = () =>
    ask<PartRow>(
      `SELECT pharmacy_uid, pharmacy_order_uid, prescription FROM storefront_order_parts
       WHERE organisation_uid = $1 AND shop_uid = $2 AND order_id = $3 ORDER BY pharmacy_order_uid`,
      ids
    )
  const read = ({ pharmacy_uid, pharmacy_order_uid }: PartRow) =>
    run(Effect.flatMap(Orders, (orders) => orders.get(pharmacy_uid, pharmacy_order_uid)))
  /** Routed, or about to be, for the shop's order, in cents. */
  const committed = async () => {
    const [row] = await ask<{ sum: string | null }>(
      `SELECT sum(p.amount) FROM payouts p JOIN storefront_order_parts s USING (pharmacy_uid, pharmacy_order_uid)
       WHERE s.organisation_uid = $1 AND s.shop_uid = $2 AND s.order_id = $3 AND p.routing IN ('pending', 'routed')`,
      ids
    )
    return Number(row?.sum ?? 0)
  }

  const piecesOf = ({ lines }: PharmacyOrder, part: PartRow) => {
    const pieces = new Map<string, number>()
    for (const { sku_uid, quantity } of lines) {
      // digital articles need no prescription, whatever part they are in
      const named = sku_uid === shop.skus.advice.uid || part.prescription === "" ? null : part.prescription
      const key = piecesKey(named, { uid: sku_uid })
      pieces.set(key, (pieces.get(key) ?? 0) + quantity)
    }
    return pieces
  }

  const ensureBought = (shipped: PharmacyOrder, part: PartRow) => {
    expect(newest?.cancelled ?? true).toBe(false)
    for (const [key, quantity] of piecesOf(shipped, part))
      expect({ key, bought: quantity <= (newest?.pieces.get(key) ?? 0) }).toEqual({ key, bought: true })
    expect(unlisted().filter(([, { returnsPieces }]) => returnsPieces)).toEqual([])
  }

  const work = async (part: PartRow) => {
    const before = await read(part)
    const to = WORK[before.status]
    const sum = await committed()
    const result = await pharmacy<PharmacyOrder, { readonly _tag: string }>(part, (orders, own, uid) =>
      to === undefined ? orders.complete(own, uid) : orders.changeStatus(own, uid, { status: to })
    )
    if (result._tag === "Left") {
      if (result.left._tag === "OrderChanged") counts.held++
      else expect(["StatusNotAllowed", "OrderNotPaid", "PrescriptionNotSigned"]).toContain(result.left._tag)
      return
    }
    if (result.right.status === before.status) return
    if (to === "shipped") {
      counts.shipped++
      ensureBought(result.right, part)
    }
    if (to === undefined) {
      counts.completed++
      const now = await committed()
      if (now > sum) {
        counts.routed++
        expect(now).toBeLessThanOrEqual(knownNet())
      }
    }
  }

  const acceptChange = async (part: PartRow) => {
    const { shop_change: change } = await read(part)
    if (change === null) return
    // a person looks into the shop first: with pieces returned that the order does not show yet, they wait
    if (change.lines === null && unlisted().some(([, { returnsPieces }]) => returnsPieces)) return
    const accepted = await pharmacy(part, (orders, own, uid) => orders.acceptChange(own, uid, { uid: change.uid }))
    if (accepted._tag === "Left") expect(accepted.left._tag).toBe("OrderChanged")
    else counts.accepted++
  }

  const sign = () =>
    ask(
      `UPDATE prescriptions p SET status = 'EXTERNALLY_SIGNED' FROM storefront_order_parts s
         JOIN pharmacy_orders o ON o.pharmacy_uid = s.pharmacy_uid AND o.uid = s.pharmacy_order_uid
       WHERE s.organisation_uid = $1 AND s.shop_uid = $2 AND s.order_id = $3 AND p.organisation_uid = $1
         AND p.uid = o.prescription_uid AND p.status = 'WAITING_FOR_DOCTOR'`,
      ids
    )

  const onPart = async (a: number, act: (part: PartRow) => Promise<unknown>) => {
    const all = await parts()
    const part = all[a % Math.max(1, all.length)]
    if (part !== undefined) await act(part)
  }

  const inShop = (change: () => void, topics: ReadonlyArray<string>) => {
    order.tick()
    change()
    for (const topic of topics) queue.push(topic === "refunds/create" ? order.refundWebhook() : order.webhook(topic))
  }
  const someLine = (a: number) => order.lines[a % order.lines.length]

  const act = async ({ kind, a, b }: Step) => {
    switch (kind) {
      case "add":
        if (order.isOff) return
        return inShop(() => order.add(articles[a % 3] as Article, 1 + (b % 3), null), ["orders/updated"])
      case "edit": {
        const line = someLine(a)
        if (order.isOff || line === undefined) return
        return inShop(() => order.edit(line, b % 6), ["orders/updated"])
      }
      case "pay_part":
        if (order.isOff) return
        return inShop(() => order.pay(1 + b), ["orders/updated"])
      case "pay":
        if (order.isOff) return
        // at once with the creation it falls into the same second
        if (sent.length + queue.length > 1) order.tick()
        order.pay(Number.MAX_SAFE_INTEGER)
        queue.push(order.webhook("orders/paid"))
        return
      case "refund_pieces": {
        const line = someLine(a)
        if (order.net <= 0 || line === undefined) return
        return inShop(
          () => order.refund([{ line, quantity: 1 + (b % 3) }], (1 + (b % 3)) * line.article.price),
          ["refunds/create", "orders/updated"]
        )
      }
      case "refund_money":
        if (order.net <= 0) return
        return inShop(() => order.refund([], 1 + b), ["refunds/create", "orders/updated"])
      case "refund_all":
        if (order.net <= 0) return
        return inShop(
          () =>
            order.refund(
              order.lines.map((line) => ({ line, quantity: line.current })),
              order.net
            ),
          ["orders/updated", "refunds/create"]
        )
      case "cancel":
        return inShop(() => order.cancel(), ["orders/cancelled", "orders/updated"])
      case "deliver": {
        const [webhook] = queue.splice(a % Math.max(1, queue.length), 1)
        if (webhook === undefined) return
        sent.push(webhook)
        return deliver(webhook)
      }
      case "deliver_again": {
        const webhook = sent[a % Math.max(1, sent.length)]
        if (webhook === undefined) return
        return deliver(webhook, b % 2 === 0 ? webhook.webhook_id : crypto.randomUUID())
      }
      case "sign":
        return sign()
      case "work":
        return onPart(a, work)
      case "accept_change":
        return onPart(a, acceptChange)
      case "stop":
        return onPart(a, (part) =>
          pharmacy(part, (orders, own, uid) =>
            orders.changeStatus(own, uid, { status: b % 2 === 0 ? "rejected" : "cancelled" })
          )
        )
      case "route":
        return onPart(a, async (part) => {
          const routedOf = async () => {
            const [row] = await ask<{ sum: string }>(
              `SELECT coalesce(sum(amount), 0) AS sum FROM payouts
               WHERE pharmacy_uid = $1 AND pharmacy_order_uid = $2 AND routing = 'routed'`,
              [part.pharmacy_uid, part.pharmacy_order_uid]
            )
            return Number(row?.sum)
          }
          const before = await routedOf()
          await run(
            Effect.flatMap(Routing, (routing) => routing.routeOrder(part.pharmacy_uid, part.pharmacy_order_uid))
          )
          const after = await routedOf()
          if (after > before) expect(after).toBeLessThanOrEqual(Math.max(0, knownNet()))
        })
    }
  }

  /** No more dispensed than prescribed, and exactly what the live orders' lines need. */
  const ensureDispensed = async () => {
    const wrong = await ask(
      `WITH parts AS MATERIALIZED (SELECT o.pharmacy_uid, o.uid, o.prescription_uid, o.status FROM storefront_order_parts s
           JOIN pharmacy_orders o ON o.pharmacy_uid = s.pharmacy_uid AND o.uid = s.pharmacy_order_uid
         WHERE s.organisation_uid = $1 AND s.shop_uid = $2 AND s.order_id = $3)
       SELECT i.uid FROM prescription_items i
       WHERE i.organisation_uid = $1 AND i.prescription_uid IN (SELECT prescription_uid FROM parts)
         AND (i.dispensed > i.quantity OR i.dispensed <> (SELECT coalesce(sum(d.quantity), 0) FROM dispensings d
           WHERE d.organisation_uid = $1 AND d.prescription_uid = i.prescription_uid AND d.item_uid = i.uid))
       UNION ALL SELECT o.uid FROM parts o
         JOIN pharmacy_order_lines l ON l.pharmacy_uid = o.pharmacy_uid AND l.pharmacy_order_uid = o.uid AND NOT l.digital
       WHERE o.status NOT IN ('rejected', 'cancelled')
         AND l.quantity <> (SELECT coalesce(sum(d.quantity), 0) FROM dispensings d
           WHERE d.organisation_uid = $1 AND d.prescription_uid = o.prescription_uid AND d.pharmacy_order_uid = o.uid
             AND d.pharmacy_order_line_uid = l.uid)`,
      ids
    )
    expect(wrong).toEqual([])
  }

  for (const step of history.steps) {
    await act(step)
    if (step.kind === "deliver" || step.kind === "accept_change" || step.kind === "stop") await ensureDispensed()
  }

  // everything arrives in the end; what the pharmacy has not begun is then as it is in the shop
  while (queue.length > 0) await act({ kind: "deliver", a: history.steps.length, b: 0 })
  await ensureDispensed()
  const known = await parts()
  const orders = await Promise.all(known.map(read))
  const [{ waits } = { waits: false }] = await ask<{ waits: boolean }>(
    `SELECT waiting_since IS NOT NULL AS waits FROM storefront_orders
     WHERE organisation_uid = $1 AND shop_uid = $2 AND order_id = $3`,
    ids
  )
  const truth = order.snapshot()
  const unbegun = orders.filter(({ status, shop_change }) => status === "new" && shop_change === null)
  if (order.isOff) expect(unbegun).toEqual([])
  else if (
    !waits &&
    orders.every(
      (one, i) =>
        (one.status === "new" && one.shop_change === null) ||
        (isVoid(one.status) &&
          piecesOf(one, known[i] as PartRow).size > 0 &&
          one.status_reason?.startsWith("The shop has") === true)
    )
  ) {
    const pieces = new Map<string, number>()
    for (const [i, one] of orders.entries())
      if (!isVoid(one.status))
        for (const [key, quantity] of piecesOf(one, known[i] as PartRow))
          pieces.set(key, (pieces.get(key) ?? 0) + quantity)
    expect(Object.fromEntries(pieces)).toEqual(Object.fromEntries(truth.pieces))
    for (const one of unbegun) expect(one.paid).toBe(["paid", "partially_refunded"].includes(truth.status))
  }
}
