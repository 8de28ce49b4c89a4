/** Pages by number of long lists: read from the nearer end, and the same rows as by cursor. Rules 2.5.1, 2.5.2 and 2.5.7. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { longPageOf, type Window } from "../../src/services/database/totals.ts"
import { makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { type Answer, testServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const server = testServer({ ROLE: "http" })

test("a page by number skips at most half of the rows, and is the same from either end", () => {
  for (let total = 0; total < 8; total++)
    for (let limit = 1; limit < 4; limit++)
      for (let page = 0; page < 9; page++) {
        const all = Array.from({ length: total }, (_, at) => at)
        const windows: Array<Window> = []
        const read = (window: Window) => {
          windows.push(window)
          const rows = window.reversed ? all.toReversed() : all
          return Effect.succeed(rows.slice(window.offset, window.offset + window.limit))
        }
        const found = Effect.runSync(longPageOf({ page, limit }, read, (row) => [row], Effect.succeed({ total })))
        const rows = all.slice(page * limit, (page + 1) * limit)
        const hasMore = rows.length > 0 && (page + 1) * limit < total
        expect(found).toEqual({ rows, total, limit, last: hasMore ? [rows.at(-1) ?? -1] : null })
        for (const { offset } of windows) expect(offset).toBeLessThanOrEqual(total / 2)
      }
})

/** The list's rows by cursor, and by every page number. */
const bothWays = async (list: (query: string) => Promise<Answer>) => {
  const uidsOf = ({ body }: Answer): ReadonlyArray<string> => body.data.map(({ uid }: { uid: string }) => uid)
  const byCursor: Array<string> = []
  for (let after = ""; ; ) {
    const answer = await list(`limit=2${after}`)
    byCursor.push(...uidsOf(answer))
    if (answer.body.next === null) break
    after = `&after=${answer.body.next}`
  }
  const byNumber: Array<string> = []
  for (let page = 0; page <= byCursor.length / 2; page++) {
    const answer = await list(`limit=2&page=${page}`)
    expect(answer.body.totalRegistries).toBe(byCursor.length)
    expect(answer.body.next === null).toBe((page + 1) * 2 >= byCursor.length)
    byNumber.push(...uidsOf(answer))
  }
  return { byCursor, byNumber }
}

test("orders, SKUs, products and patients are the same by number and by cursor", async () => {
  const pharmacy = await makePharmacy(server.current)
  const uids = Array.from({ length: 4 }, () => random("sku"))
  await pharmacy.provision({
    products: uids.map((uid) => ({ uid, display_name: "More", handle: uid })),
    skus: uids.map((uid) => ({
      uid,
      product_uid: uid,
      display_name: "More",
      standard_selling_unit: 1,
      unit: "ml",
      digital: false,
      selling_price: 100
    })),
    pharmacy_skus: uids.map((uid) => ({
      uid,
      pharmacy_uid: pharmacy.pharmacy_uid,
      sku_uid: uid,
      external_id: uid,
      price: 1,
      stock: 0
    }))
  })
  for (let order = 0; order < 7; order++) await pharmacy.order({ created_at: 1_700_000_000 + (order >> 1) })
  const world = await makeWorld(server.current)
  for (let patient = 0; patient < 5; patient++)
    await world.api("POST", "/v1/management/patients", { shop_uid: world.shop_uid, profile: {} })
  for (const list of [
    (query: string) => pharmacy.call("GET", `/pharmacy_orders/?${query}`),
    (query: string) => pharmacy.call("GET", `/pharmacy_skus/?${query}`),
    (query: string) => pharmacy.call("GET", `/pharmacy_products/?${query}`),
    (query: string) => world.api("GET", `/v1/management/patients?${query}`)
  ]) {
    const { byCursor, byNumber } = await bothWays(list)
    expect(byCursor.length).toBeGreaterThan(4)
    expect(byNumber).toEqual(byCursor)
  }
})
