/** Draft orders that reserve stock until a prescription is signed, with their organisations. */
import { Effect, Schema } from "effect"
import type { NewReservation, Reservation } from "../../schemas/checkout/Checkout.ts"
import { DraftOrderNotFound, ReservationExpired } from "../../schemas/checkout/errors.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { type OrganisationUid, ReservationUid } from "../../schemas/ids.ts"
import { Invalid } from "../../schemas/problems.ts"
import { DAY } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { Service } from "../Service.ts"
import { newUid } from "../uid.ts"
import { Basket } from "./Basket.ts"
import { reservationFaults } from "./checkoutPlan.ts"
import { type Shop, Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

/** Time for a doctor to sign: one day. */
const LIFETIME_SECONDS = DAY
const StoredReservation = Schema.Struct({ draft_order_id: Schema.String, expires_at: UnixSeconds })

export class Reservations extends Service<Reservations>()("checkout/Reservations", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const basket = yield* Basket
    const clock = yield* DomainClock
    const stored = rowsOf(StoredReservation)

    /**
     * Reserves the lines for a day. Fails with `Invalid`, `ShopNotFound`, `StorefrontRefused` or `StorefrontUnavailable`.
     */
    const reserve = Effect.fn("Reservations.reserve")(function* (
      organisation_uid: OrganisationUid,
      shop_identifier: string,
      { lines }: NewReservation
    ) {
      const shop = yield* shops.ofOrganisation(organisation_uid, shop_identifier)
      const { faults, variant } = yield* basket.check(shop, lines)
      const all = [...reservationFaults(lines), ...faults]
      if (all.length > 0) return yield* new Invalid({ faults: all })
      const storefront = yield* storefronts.of(shop)
      const now = yield* clock.now
      const expires_at = UnixSeconds.make(now + LIFETIME_SECONDS)
      const { draft_order_id } = yield* storefront.createDraftOrder({
        key: yield* newUid(ReservationUid),
        repeated: false,
        lines: lines.map(({ sku_uid, quantity }) => ({ variant_id: variant(sku_uid), quantity, attributes: {} })),
        attributes: {},
        reserve_until: expires_at
      })
      yield* Effect.orDie(sql`INSERT INTO reservations
          (organisation_uid, shop_uid, draft_order_id, created_at, expires_at)
        VALUES (${organisation_uid}, ${shop.shop_uid}, ${draft_order_id}, to_timestamp(${now}),
          to_timestamp(${expires_at}))`)
      const reservation: Reservation = { reserved_draft_order_id: draft_order_id, expires_at }
      return reservation
    })

    /**
     * The storefront's id of a reserved draft order of this organisation; Shopify's bare number is accepted. Fails with
     * `DraftOrderNotFound` or `ReservationExpired`.
     */
    const draftOrder = Effect.fn("Reservations.draftOrder")(function* (
      { organisation_uid, shop_uid }: Shop,
      named: string
    ) {
      const { draft_order_id, expires_at } = yield* stored.firstOr(
        sql`SELECT draft_order_id, expires_at FROM reservations
          WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid}
            AND draft_order_id IN (${named}, 'gid://shopify/DraftOrder/' || ${named})`,
        () => new DraftOrderNotFound()
      )
      if (expires_at <= (yield* clock.now)) return yield* new ReservationExpired()
      return draft_order_id
    })

    return { reserve, draftOrder } as const
  }),
  dependencies: [Shops.Default, Basket.Default]
}) {}
