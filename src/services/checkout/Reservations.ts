/** Draft orders that keep stock until a prescription is signed, and whose they are. */

import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { NewReservation, Reservation } from "../../schemas/checkout/Checkout.ts"
import { Conflict } from "../../schemas/conflicts.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { type OrganisationUid, ReservationUid } from "../../schemas/ids.ts"
import { Invalid, NotFound } from "../../schemas/problems.ts"
import { DAY } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { newUid } from "../uid.ts"
import { Basket } from "./Basket.ts"
import { reservationFaults } from "./checkoutPlan.ts"
import { type Shop, Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

/** How long a doctor may take to sign: one day. */
const LIFETIME_SECONDS = DAY

const expired = new Conflict({ reason: "reservation_expired" })

export class Reservations extends Effect.Service<Reservations>()("checkout/Reservations", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const basket = yield* Basket
    const clock = yield* DomainClock

    /** Reserves the lines for a day. What a broken-off request reserved is free again when that day is over. */
    const reserve = Effect.fn("Reservations.reserve")(
      function* (organisation_uid: OrganisationUid, shop_identifier: string, { lines }: NewReservation) {
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
        yield* sql`INSERT INTO reservations (organisation_uid, shop_uid, draft_order_id, created_at, expires_at)
        VALUES (${organisation_uid}, ${shop.shop_uid}, ${draft_order_id}, to_timestamp(${now}),
          to_timestamp(${expires_at}))`
        const reservation: Reservation = { reserved_draft_order_id: draft_order_id, expires_at }
        return reservation
      },
      Effect.catchTag("SqlError", Effect.die)
    )

    /**
     * The draft order of a reservation of this organisation, as the storefront names it; Shopify's bare number will do.
     * 404 for any other, 409 when its time is over.
     */
    const draftOrder = Effect.fn("Reservations.draftOrder")(
      function* ({ organisation_uid, shop_uid }: Shop, draft_order_id: string) {
        const rows = yield* sql<{ draft_order_id: string; expires_at: number }>`SELECT draft_order_id, expires_at
        FROM reservations WHERE organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid}
          AND draft_order_id IN (${draft_order_id}, 'gid://shopify/DraftOrder/' || ${draft_order_id})`
        const [found] = rows
        if (found === undefined) return yield* new NotFound({ what: "Reserved draft order" })
        if (found.expires_at <= (yield* clock.now)) return yield* expired
        return found.draft_order_id
      },
      Effect.catchTag("SqlError", Effect.die)
    )

    return { reserve, draftOrder } as const
  }),
  dependencies: [Shops.Default, Basket.Default, DomainClock.Default]
}) {}
