/**
 * The shop that lives in this database, for trying the service out and for partners who need no other: its draft orders
 * and carts are rows. The one room for their SQL.
 */

import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { Settings } from "../../../config.ts"
import { StorefrontRefused } from "../../../schemas/checkout/storefrontProblems.ts"
import { DraftOrderUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Catalogue } from "../../pharmacy/Catalogue.ts"
import { transaction } from "../../transaction.ts"
import { newUid } from "../../uid.ts"
import type { Shop } from "../Shops.ts"
import type {
  Addresses,
  Attributes,
  Contact,
  DraftOrderChange,
  StorefrontAddress,
  StorefrontLine
} from "../Storefront.ts"

export interface EmbeddedLine extends StorefrontLine {
  readonly uuid: string
  readonly sku_uid: string
  readonly title: string
  /** Cents. */
  readonly unit_price: number
}

export interface EmbeddedOrder {
  readonly organisation_uid: string
  readonly id: string
  readonly shop_uid: string
  readonly shop_identifier: string
  readonly shop_name: string
  readonly order_number: number | null
  readonly email: string | null
  readonly phone: string | null
  readonly billing_address: StorefrontAddress | null
  readonly shipping_address: StorefrontAddress | null
  readonly lines: ReadonlyArray<EmbeddedLine>
  readonly attributes: Attributes
  readonly invoice_sent_at: number | null
  readonly paid_at: number | null
}

/** A draft order or a cart, which differ for their makers alone. */
export interface EmbeddedRequest extends Contact, Addresses {
  readonly key: string
  readonly lines: ReadonlyArray<StorefrontLine>
  readonly attributes: Attributes
  readonly reserve_until?: number | undefined
}

type OfShop = Pick<Shop, "organisation_uid" | "shop_uid">
const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

export class EmbeddedShop extends Effect.Service<EmbeddedShop>()("checkout/EmbeddedShop", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const catalogue = yield* Catalogue
    const clock = yield* DomainClock
    const { baseUrl } = yield* Settings

    const columns = sql`e.organisation_uid, e.id, e.shop_uid, s.shop_identifier, s.name AS shop_name, e.order_number,
      e.email, e.phone, e.billing_address, e.shipping_address, e.lines, e.attributes, e.invoice_sent_at, e.paid_at`
    const from = sql`FROM embedded_orders e JOIN shops s ON s.organisation_uid = e.organisation_uid AND s.uid = e.shop_uid`

    /** Where the customer of this order pays. */
    const addressOf = (id: string) => `${baseUrl}/storefront/checkout/${id}`

    const priced = Effect.fnUntraced(function* (lines: ReadonlyArray<StorefrontLine>) {
      const skus = yield* catalogue.named(lines.map(({ variant_id }) => variant_id))
      const find = ({ variant_id }: StorefrontLine) =>
        skus.find((sku) => sku.storefront_variant_id === variant_id) ?? skus.find((sku) => sku.sku_uid === variant_id)
      return yield* Effect.forEach(lines, (line, i) => {
        const sku = find(line)
        if (sku === undefined) return new StorefrontRefused({ reasons: [`lineItems.${i}: no such variant`] })
        const { sku_uid, display_name: title, selling_price: unit_price } = sku
        return Effect.succeed<EmbeddedLine>({ ...line, uuid: String(i + 1), sku_uid, title, unit_price })
      })
    })

    /** The order of this key, made or brought up to this request. One that is paid stays as it is. */
    const open = Effect.fn("EmbeddedShop.open")(
      function* ({ organisation_uid, shop_uid }: OfShop, request: EmbeddedRequest) {
        const lines = yield* priced(request.lines)
        const now = yield* clock.now
        const [made] = yield* sql<{ id: string }>`INSERT INTO embedded_orders AS e (organisation_uid, id, shop_uid, key,
            email, phone, billing_address, shipping_address, lines, attributes, reserve_until, created_at)
          VALUES (${organisation_uid}, ${yield* newUid(DraftOrderUid)}, ${shop_uid}, ${request.key}, ${request.email ?? null},
            ${request.phone ?? null}, ${json(request.billing_address)}::jsonb, ${json(request.shipping_address)}::jsonb,
            ${JSON.stringify(lines)}::jsonb, ${JSON.stringify(request.attributes)}::jsonb,
            to_timestamp(${request.reserve_until ?? null}), to_timestamp(${now}))
          ON CONFLICT (organisation_uid, shop_uid, key) DO UPDATE SET
            (email, phone, billing_address, shipping_address, lines, attributes) =
              (SELECT excluded.email, excluded.phone, excluded.billing_address, excluded.shipping_address,
                excluded.lines, excluded.attributes WHERE e.paid_at IS NULL
               UNION ALL SELECT e.email, e.phone, e.billing_address, e.shipping_address, e.lines, e.attributes
                WHERE e.paid_at IS NOT NULL)
          RETURNING id`
        const id = made?.id ?? ""
        return { draft_order_id: id, checkout_url: addressOf(id) }
      },
      Effect.catchTag("SqlError", Effect.die)
    )

    const find = Effect.fn("EmbeddedShop.find")(({ organisation_uid, shop_uid }: OfShop, id: string) =>
      sql<EmbeddedOrder>`SELECT ${columns} ${from} WHERE e.organisation_uid = ${organisation_uid}
        AND e.shop_uid = ${shop_uid} AND e.id = ${id}`.pipe(
        Effect.orDie,
        Effect.map(([order]) => Option.fromNullable(order))
      )
    )

    /** By its id alone, which only its customer has been told. */
    const byId = Effect.fn("EmbeddedShop.byId")(function* (id: string) {
      const [order] = yield* sql<EmbeddedOrder>`SELECT ${columns} ${from} WHERE e.id = ${id}`.pipe(Effect.orDie)
      return order ?? (yield* new NotFound({ what: "Checkout" }))
    })

    const change = Effect.fn("EmbeddedShop.change")(
      function* ({ organisation_uid, shop_uid }: OfShop, id: string, change: DraftOrderChange) {
        const rows = yield* sql<{ lines: ReadonlyArray<EmbeddedLine> }>`SELECT lines FROM embedded_orders
          WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid} AND id = ${id} AND paid_at IS NULL
          FOR UPDATE`
        const [order] = rows
        if (order === undefined) return yield* new StorefrontRefused({ reasons: ["the draft order is gone"] })
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
      },
      transaction,
      Effect.provideService(SqlClient.SqlClient, sql)
    )

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

    /** Makes it an order with the shop's next number. False when it has been paid before. Needs a transaction around it. */
    const markPaid = Effect.fn("EmbeddedShop.markPaid")(function* ({ organisation_uid, shop_uid }: OfShop, id: string) {
      const now = yield* clock.now
      yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`embedded shop ${shop_uid}`}, 0))`
      const rows = yield* sql`UPDATE embedded_orders SET paid_at = to_timestamp(${now}),
          order_number = (SELECT coalesce(max(order_number), 1000) + 1 FROM embedded_orders
            WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid})
        WHERE organisation_uid = ${organisation_uid} AND id = ${id} AND paid_at IS NULL RETURNING id`
      return rows.length > 0
    }, Effect.orDie)

    return { addressOf, open, find, byId, change, discard, invoiceSent, markPaid } as const
  }),
  dependencies: [Catalogue.Default, DomainClock.Default]
}) {}
