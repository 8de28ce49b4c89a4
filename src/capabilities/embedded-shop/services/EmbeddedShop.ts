/** The shop in this service's own database (Rule 11.8.1): its draft orders and carts are rows of one table. Their repository. */
import { Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { CheckoutNotFound } from "../../../schemas/checkout/errors.ts"
import { StorefrontRefused } from "../../../schemas/checkout/storefrontProblems.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { DraftOrderUid, OrganisationUid, ShopUid, SkuUid } from "../../../schemas/ids.ts"
import type { Shop } from "../../../services/checkout/Shops.ts"
import {
  type Addresses,
  Attributes,
  type Contact,
  type DraftOrderChange,
  StorefrontAddress,
  StorefrontLine
} from "../../../services/checkout/Storefront.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { any, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Catalogue } from "../../../services/pharmacy/Catalogue.ts"
import { Service } from "../../../services/Service.ts"
import { OwnerByKey } from "../../../services/tenancy/OwnerByKey.ts"
import { newUidOf } from "../../../services/uid.ts"

const EmbeddedLine = Schema.Struct({
  ...StorefrontLine.fields,
  uuid: Schema.String,
  sku_uid: SkuUid,
  title: Schema.String,
  /** Cents. */
  unit_price: Schema.Number
})
type EmbeddedLine = typeof EmbeddedLine.Type

const EmbeddedOrder = Schema.Struct({
  organisation_uid: OrganisationUid,
  id: DraftOrderUid,
  shop_uid: ShopUid,
  shop_identifier: Schema.String,
  shop_name: Schema.String,
  order_number: Schema.NullOr(Schema.Number),
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  billing_address: Schema.NullOr(StorefrontAddress),
  shipping_address: Schema.NullOr(StorefrontAddress),
  lines: Schema.Array(EmbeddedLine),
  attributes: Attributes,
  invoice_sent_at: Schema.NullOr(UnixSeconds),
  paid_at: Schema.NullOr(UnixSeconds)
})
export type EmbeddedOrder = typeof EmbeddedOrder.Type

/** A draft order or a cart: the same row here. */
export interface EmbeddedRequest extends Contact, Addresses {
  readonly key: string
  readonly lines: ReadonlyArray<StorefrontLine>
  readonly attributes: Attributes
  readonly reserve_until?: number | undefined
}

type OfShop = Pick<Shop, "organisation_uid" | "shop_uid">
const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

export class EmbeddedShop extends Service<EmbeddedShop>()("checkout/EmbeddedShop", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const catalogue = yield* Catalogue
    const clock = yield* DomainClock
    const { baseUrl } = yield* Settings
    const { transaction } = yield* Database
    const owners = yield* OwnerByKey
    const orders = rowsOf(EmbeddedOrder)
    const ids = rowsOf(EmbeddedOrder.pick("id"))

    const columns = sql`e.organisation_uid, e.id, e.shop_uid, s.shop_identifier, s.name AS shop_name, e.order_number,
      e.email, e.phone, e.billing_address, e.shipping_address, e.lines, e.attributes, e.invoice_sent_at, e.paid_at`
    const from = sql`FROM embedded_orders e JOIN shops s ON s.organisation_uid = e.organisation_uid AND s.uid = e.shop_uid`

    /** URL of the page on which the customer pays this order. */
    const addressOf = (id: DraftOrderUid) => `${baseUrl}/storefront/checkout/${id}`

    const priced = Effect.fnUntraced(function* (lines: ReadonlyArray<StorefrontLine>) {
      const skus = yield* catalogue.named(lines.map(({ variant_id }) => variant_id))
      const find = ({ variant_id }: StorefrontLine) =>
        skus.find((sku) => sku.storefront_variant_id === variant_id) ?? skus.find((sku) => sku.sku_uid === variant_id)
      return yield* Effect.forEach(lines, (line, i) => {
        const sku = find(line)
        if (sku === undefined) return new StorefrontRefused({ reasons: [`lineItems.${i}: no such variant`] })
        const { sku_uid, product_name, display_name, selling_price: unit_price } = sku
        const title = `${product_name} ${display_name}`
        return Effect.succeed<EmbeddedLine>({ ...line, uuid: String(i + 1), sku_uid, title, unit_price })
      })
    })

    /** Columns updated by a repeated request, unless the order is paid. */
    const asRequested = sql.csv(
      ["email", "phone", "billing_address", "shipping_address", "lines", "attributes"].map(
        (column) =>
          sql`${sql(column)} = CASE WHEN e.paid_at IS NULL THEN excluded.${sql(column)} ELSE e.${sql(column)} END`
      )
    )

    /** Creates or updates the order of this key. A paid one is unchanged. Fails with `StorefrontRefused`. */
    const open = Effect.fn("EmbeddedShop.open")(function* (
      { organisation_uid, shop_uid }: OfShop,
      request: EmbeddedRequest
    ) {
      const lines = yield* priced(request.lines)
      const now = yield* clock.now
      const { id } = yield* ids.one(sql`INSERT INTO embedded_orders AS e (organisation_uid, id, shop_uid, key,
            email, phone, billing_address, shipping_address, lines, attributes, reserve_until, created_at)
          VALUES (${organisation_uid}, ${yield* newUidOf(DraftOrderUid, organisation_uid)}, ${shop_uid}, ${request.key}, ${request.email ?? null},
            ${request.phone ?? null}, ${json(request.billing_address)}::jsonb, ${json(request.shipping_address)}::jsonb,
            ${JSON.stringify(lines)}::jsonb, ${JSON.stringify(request.attributes)}::jsonb,
            to_timestamp(${request.reserve_until ?? null}), to_timestamp(${now}))
          ON CONFLICT (organisation_uid, shop_uid, key) DO UPDATE SET ${asRequested}
          RETURNING id`)
      return { draft_order_id: id, checkout_url: addressOf(id) }
    })

    const find = Effect.fn("EmbeddedShop.find")(({ organisation_uid, shop_uid }: OfShop, id: string) =>
      orders.first(sql`SELECT ${columns} ${from} WHERE e.organisation_uid = ${organisation_uid}
        AND e.shop_uid = ${shop_uid} AND e.id = ${id}`)
    )

    /** Looks up by id only, which only its customer has. Fails with `CheckoutNotFound`. */
    const byId = Effect.fn("EmbeddedShop.byId")((id: DraftOrderUid) => {
      const unknown = () => new CheckoutNotFound()
      const one = (owner: OrganisationUid) =>
        orders.firstOr(sql`SELECT ${columns} ${from} WHERE e.organisation_uid = ${owner} AND e.id = ${id}`, unknown)
      return owners.ofCode(id, unknown, one)
    })

    const change = Effect.fn("EmbeddedShop.change")(function* (
      { organisation_uid, shop_uid }: OfShop,
      id: string,
      change: DraftOrderChange
    ) {
      const order = yield* rowsOf(EmbeddedOrder.pick("lines")).firstOr(
        sql`SELECT lines FROM embedded_orders
            WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid} AND id = ${id} AND paid_at IS NULL
            FOR UPDATE`,
        () => new StorefrontRefused({ reasons: ["the draft order is gone"] })
      )
      const added = new Map(change.line_attributes.map(({ uuid, attributes }) => [uuid, attributes]))
      const lines = order.lines.map((line) => ({
        ...line,
        attributes: { ...line.attributes, ...added.get(line.uuid) }
      }))
      yield* sql`UPDATE embedded_orders SET lines = ${JSON.stringify(lines)}::jsonb,
            email = coalesce(${change.email || null}, email), phone = coalesce(${change.phone || null}, phone),
            billing_address = coalesce(${json(change.billing_address)}::jsonb, billing_address),
            shipping_address = coalesce(${json(change.shipping_address)}::jsonb, shipping_address)
          WHERE organisation_uid = ${organisation_uid} AND id = ${id}`
    }, transaction)

    const discard = Effect.fn("EmbeddedShop.discard")(
      ({ organisation_uid, shop_uid }: OfShop, key: string) =>
        sql`DELETE FROM embedded_orders WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid}
          AND key = ${key} AND paid_at IS NULL`,
      Effect.orDie
    )

    const invoiceSent = Effect.fn("EmbeddedShop.invoiceSent")(function* ({ organisation_uid }: OfShop, id: string) {
      const now = yield* clock.now
      yield* sql`UPDATE embedded_orders SET invoice_sent_at = to_timestamp(${now})
        WHERE organisation_uid = ${organisation_uid} AND id = ${id}`
    }, Effect.orDie)

    /** Turns it into an order with the shop's next number. False if it is already paid. Needs a surrounding transaction. */
    const markPaid = Effect.fn("EmbeddedShop.markPaid")(function* (
      { organisation_uid, shop_uid }: OfShop,
      id: DraftOrderUid
    ) {
      const now = yield* clock.now
      yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`embedded shop ${shop_uid}`}, 0))`
      return yield* any(sql`UPDATE embedded_orders SET paid_at = to_timestamp(${now}),
          order_number = (SELECT coalesce(max(order_number), 1000) + 1 FROM embedded_orders
            WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid})
        WHERE organisation_uid = ${organisation_uid} AND id = ${id} AND paid_at IS NULL RETURNING id`)
    }, Effect.orDie)

    return { addressOf, open, find, byId, change, discard, invoiceSent, markPaid } as const
  }),
  dependencies: [Catalogue.Default, OwnerByKey.Default]
}) {}
