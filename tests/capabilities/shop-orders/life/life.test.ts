/**
 * The life of a shop's order in random histories: created, edited, paid in parts, refunded, cancelled, its webhooks in any order, repeated
 * and late, while the pharmacy works. Never more is routed than was paid and not refunded, never more dispensed than prescribed, and
 * nothing is shipped that was not bought.
 */
import { expect, test } from "bun:test"
import fc from "fast-check"
import { makeShop } from "../../../checkout/support/shop.ts"
import { isSkippedFor } from "../../../support/citus.ts"
import { using } from "../../../support/postgres.ts"
import { sized } from "../../../support/scale.ts"
import { testServer } from "../../../support/server.ts"
import { histories } from "./histories.ts"
import { type Ask, type Counts, live } from "./life.ts"

// without workers: payouts are routed by the histories themselves
const server = testServer({ ROLE: "http" })
/** Some five webhooks each. `HISTORIES` sets another number. */
const RUNS = Number(process.env.HISTORIES ?? sized(40, 20_000))
const CREWS = sized(3, 6)

const makeCrew = async () => {
  const shop = await makeShop(server.current)
  const payout_terms = { payment_account: "org_1", commission_bps: 500, markup_share_bps: 4_000 }
  await shop.provision({ pharmacies: [{ uid: shop.pharmacy_uid, name: "Apotheke", payout_terms }] })
  return shop
}

const isCluster = isSkippedFor("the test's own statements join tables of organisations with tables of pharmacies")
test.skipIf(isCluster)(
  `${RUNS} histories`,
  async () => {
    const counts: Counts = { webhooks: 0, shipped: 0, completed: 0, held: 0, accepted: 0, routed: 0 }
    // one after another: provisioning takes turns
    const shops: Array<Awaited<ReturnType<typeof makeCrew>>> = []
    for (let crew = 0; crew < CREWS; crew++) shops.push(await makeCrew())
    let done = 0
    await Promise.all(
      shops.map((shop) =>
        using(server.current.databaseUrl, (client) => {
          // prepared once: a history has some thirty statements of the test's own
          const ask: Ask = async (text, values) =>
            (await client.query({ name: String(Bun.hash(text)), text, values: [...values] })).rows
          const lived = fc.asyncProperty(histories, async (history) => {
            await live(server.current, ask, shop, history, counts)
            if (++done % 500 === 0) console.info("histories", done, counts)
          })
          return fc.assert(lived, { numRuns: Math.ceil(RUNS / CREWS), endOnFailure: true })
        })
      )
    )
    console.info("histories", RUNS, counts)
    // few orders of a short run come to their end
    const { webhooks, shipped, held } = counts
    for (const [name, count] of Object.entries(RUNS < 300 ? { webhooks, shipped, held } : counts))
      expect({ name, some: count > 0 }).toEqual({ name, some: true })
  },
  sized(600_000, 36_000_000)
)
