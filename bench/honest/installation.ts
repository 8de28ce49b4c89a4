/** An installation for honest crowds: the default limits, behind a proxy that names each caller's address. */
import { Effect } from "effect"
import { Recalls } from "../../src/capabilities/recalls/services/Recalls.ts"
import { mailsTo } from "../../tests/support/codes.ts"
import { eventually } from "../../tests/support/eventually.ts"
import type { TestServer } from "../../tests/support/server.ts"
import { makeWorld, random } from "../../tests/support/world.ts"
import type { Installation } from "./acting.ts"

export const honestSettings = {
  RATE_LIMIT_PER_SECOND: "10",
  RATE_LIMIT_KEY_PER_SECOND: "200",
  TRUSTED_PROXIES: "127.0.0.1, ::1"
}

export const installationOf = (server: TestServer): Installation => ({
  url: server.url,
  practice: async (doctors, { hours, timezone = "UTC" } = {}) => {
    const limits = { patient_live_holds_max: 3, patient_future_appointments_max: 20 }
    const world = await makeWorld(server, {
      doctors,
      organisation: { public_booking: true, timezone, ...limits },
      type: { duration_minutes: 10 },
      ...(hours !== undefined && { hours })
    })
    return world
  },
  pharmacy: async (count) => {
    const world = await makeWorld(server, { doctors: 1 })
    const [pharmacy_uid, product_uid, key] = [random("pha"), random("pro"), random("spr_key_that_is_long_enough")]
    const skus = Array.from({ length: count }, () => random("sku"))
    const own = skus.map((sku) => `psk_${sku}`)
    await world.provision({
      pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
      products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
      skus: skus.map((uid) => ({
        uid,
        product_uid,
        display_name: `Ibuprofen ${uid}`,
        standard_selling_unit: 1,
        unit: "piece",
        selling_price: 499
      })),
      pharmacy_skus: skus.map((sku_uid, index) => ({
        uid: own[index],
        pharmacy_uid,
        sku_uid,
        external_id: `ext-${sku_uid}`,
        price: 499,
        stock: 10
      })),
      api_keys: [
        {
          key,
          name: "import",
          permissions: ["orders_read", "stock_read", "stock_write", "pharmacy_sku_write"],
          pharmacy_uid
        }
      ]
    })
    return { key, skus: own }
  },
  codeMailedTo: (email) =>
    eventually(
      async () => /\d{6}/.exec((await mailsTo(server, email))[0]?.subject ?? "")?.[0] ?? "",
      (code) => code !== ""
    ),
  mailedTo: (email, part) =>
    eventually(
      async () => (await mailsTo(server, email)).map(({ text = "" }) => part.exec(text)?.[0] ?? "").find(Boolean) ?? "",
      (found) => found !== "",
      120
    ),
  calendar: (ics) => {
    const etag = `"${Bun.hash(ics).toString(36)}"`
    const web = Bun.serve({
      port: 0,
      fetch: ({ headers }) =>
        headers.get("if-none-match") === etag
          ? new Response(null, { status: 304 })
          : new Response(ics, { headers: { etag } })
    })
    web.unref()
    return `http://127.0.0.1:${web.port}/calendar.ics`
  },
  minute: () => server.run(Effect.flatMap(Recalls, ({ sendDue }) => sendDue())),
  advance: server.advance
})
