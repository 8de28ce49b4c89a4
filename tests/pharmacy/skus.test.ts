import { describe, expect, test } from "bun:test"
import { Effect, Either, Schema } from "effect"
import {
  ExternalIdChange,
  ProductQuery,
  SkuChanges,
  SkuQuery,
  StockChange
} from "../../src/schemas/pharmacy/PharmacySku.ts"
import { sized } from "../support/scale.ts"
import { testLayers, testServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { asked, eventsIn, type LayeredPharmacy, layeredPharmacy, makePharmacy } from "./pharmacyWorld.ts"

const server = testServer({ ROLE: "http" })
const layers = testLayers()

const skuQuery = asked(SkuQuery)
const listed = (world: LayeredPharmacy, query?: Parameters<typeof skuQuery>[0]) =>
  world.stock((skus, own) => skus.list(own, skuQuery(query)))
/** The products, each with the uids of its SKUs. */
const productsOf = async (world: LayeredPharmacy) => {
  const { data, totalRegistries } = await world.stock((skus, own) => skus.products(own, asked(ProductQuery)()))
  expect(totalRegistries).toBe(data.length)
  return new Map(data.map(({ uid, skus }) => [uid, skus.map((one) => one.uid)]))
}
const unit = { standard_selling_unit: 1, unit: "g", selling_price: 1 }

describe("listing SKUs", () => {
  test("shows every field of a SKU, and products with their SKUs", async () => {
    const world = await layeredPharmacy(layers.current)
    const { skus, pharmacy_uid, product_uid } = world
    const { data, totalRegistries } = await listed(world)
    expect(totalRegistries).toBe(3)
    expect(data.find(({ uid }) => uid === skus.drops.uid)).toEqual({
      uid: skus.drops.uid,
      external_id: `ext-${skus.drops.uid}`,
      price: 1_000,
      stock: 10,
      pharmacy: pharmacy_uid,
      sku: {
        uid: skus.drops.sku,
        display_name: "Drops",
        pzn: "01234567",
        product_uid,
        product_display_name: "Remedy",
        standard_selling_unit: 10,
        unit: "ml",
        product_handle: "remedy",
        digital: false
      },
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
      deleted_at: null
    })
    const products = await world.stock((all, own) => all.products(own, asked(ProductQuery)()))
    expect(products).toMatchObject({
      data: [{ uid: product_uid, display_name: "Remedy", handle: "remedy", skus: data }],
      totalRegistries: 1
    })
  })

  test("returns only those named by uid, external id or PZN, Rule 10.3.5", async () => {
    const world = await layeredPharmacy(layers.current)
    const { skus, pharmacy_uid, product_uid } = world
    const [sku_uid, uid, pzn] = [random("sku"), random("psk"), random("pzn")]
    const named = async (...names: ReadonlyArray<string>) => {
      const { data, totalRegistries } = await listed(world, { names: names.join("\n") })
      expect(totalRegistries).toBe(data.length)
      return data.map((one) => one.uid).sort()
    }
    await world.provision({
      skus: [{ uid: sku_uid, product_uid, display_name: "Pills", pzn, ...unit }],
      pharmacy_skus: [{ uid, pharmacy_uid, sku_uid, external_id: "a,b", price: 1, stock: 0 }]
    })
    for (const name of [uid, "a,b", pzn]) expect(await named(name)).toEqual([uid])
    expect(await named(skus.drops.uid, "unknown", pzn)).toEqual([skus.drops.uid, uid].sort())
    expect(await named("unknown")).toEqual([])
  })

  test("is paged, and reduces a limit over 500", async () => {
    const world = await layeredPharmacy(layers.current)
    await layers.current.sql`INSERT INTO pharmacy_skus
      SELECT (jsonb_populate_record(p, jsonb_build_object('uid', p.uid || n))).* FROM pharmacy_skus p,
        generate_series(1, 510) n WHERE pharmacy_uid = ${world.pharmacy_uid} AND uid = ${world.skus.drops.uid}`
    const pages = [await listed(world, { limit: 9_999 }), await listed(world, { limit: 500, page: 1 })]
    expect(pages.map(({ data }) => data.length)).toEqual([500, 13])
    expect(pages[0]).toMatchObject({ totalRegistries: 513, totalPages: 2 })
    expect(new Set(pages.flatMap(({ data }) => data).map(({ uid }) => uid)).size).toBe(513)
    expect((await listed(world)).data).toHaveLength(50)
    for (const bad of [{ limit: 0 }, { limit: -1 }, { page: -1 }, { limit: "x" }]) expect(() => skuQuery(bad)).toThrow()
  })

  test.each(["digital", "physical"] as const)(
    "hides %s SKUs from lists, counts, products and updates; Rule 10.3.4",
    async (type) => {
      const world = await layeredPharmacy(layers.current, { pharmacy: { hidden_sku_types: [type] } })
      const { drops, gel, consult } = world.skus
      const [left, hidden] = type === "digital" ? [[drops, gel], consult] : [[consult], drops]
      const uids = left.map(({ uid }) => uid).sort()
      const { data, totalRegistries } = await listed(world)
      expect([totalRegistries, data.map(({ uid }) => uid).sort()]).toEqual([uids.length, uids])
      expect([...(await productsOf(world)).values()].flat().sort()).toEqual(uids)
      const change = world.stock((skus, own) => Effect.flip(skus.change(own, hidden.uid, { stock: 1 })))
      expect(await change).toMatchObject({ _tag: "PharmacySkuNotFound" })
    }
  )

  test("follow a SKU that moves to another product, and one whose type changes", async () => {
    const world = await layeredPharmacy(layers.current, { pharmacy: { hidden_sku_types: ["digital"] } })
    const { drops, gel, consult } = world.skus
    const product_uid: string = world.product_uid
    const other = random("pro")
    const changed = ({ sku }: { readonly sku: string }, product: string, digital: boolean) => {
      return { uid: sku, product_uid: product, display_name: "Changed", digital, ...unit }
    }
    await world.provision({
      products: [{ uid: other, display_name: "Other", handle: "other" }],
      skus: [changed(drops, other, false), changed(gel, product_uid, true), changed(consult, product_uid, false)]
    })
    expect(Object.fromEntries(await productsOf(world))).toEqual({ [other]: [drops.uid], [product_uid]: [consult.uid] })
    expect((await listed(world)).totalRegistries).toBe(2)
  })
})

describe("changing a SKU", () => {
  test("only the sent fields change, and the whole SKU is returned; an event is published", async () => {
    const { call, skus, pharmacy_uid } = await makePharmacy(server.current)
    const changed = async (path: string, body: object) => {
      const answer = await call("PATCH", `/pharmacy_skus/${skus.drops.uid}${path}`, { body })
      expect(answer).toMatchObject({ status: 200, body: { sku: { display_name: "Drops" } } })
      return [answer.body.price, answer.body.stock, answer.body.external_id]
    }
    const external_id = "💊".repeat(255)
    expect(await changed("", { price: 1_234, unknown: true })).toEqual([1_234, 10, `ext-${skus.drops.uid}`])
    expect(await changed("/stock", { stock: -5 })).toEqual([1_234, -5, `ext-${skus.drops.uid}`])
    expect(await changed("/external_id", { external_id })).toEqual([1_234, -5, external_id])
    expect(await changed("", { price: 0, stock: 3, external_id: "new" })).toEqual([0, 3, "new"])
    const events = await eventsIn(server.current, pharmacy_uid)
    for (const none of [{}, { external_id: "", price: null }]) expect(await changed("", none)).toEqual([0, 3, "new"])
    expect(await eventsIn(server.current, pharmacy_uid)).toHaveLength(events.length)
    expect(events.at(-1)).toMatchObject({ type: "pharmacy_sku.updated", data: { pharmacy_sku: { stock: 3 } } })
    const wrong = await call("PATCH", `/pharmacy_skus/${skus.drops.uid}/stock`, { body: {} })
    expect(wrong).toMatchObject({ status: 400, body: { error: [expect.stringContaining("stock")] } })
  })

  test("takes exactly prices, stocks and ids within their bounds, which are inclusive; Rule 10.3.2", () => {
    const refused = (schema: Schema.Schema.AnyNoContext, bodies: ReadonlyArray<unknown>) =>
      bodies.filter((body) => Either.isLeft(Schema.decodeUnknownEither(schema)(body)))
    const wrong = [
      { price: -1 },
      { price: 10_000_000_001 },
      { price: 1.5 },
      { price: "1" },
      { stock: 2_147_483_648 },
      { stock: -2_147_483_649 },
      { external_id: "x".repeat(256) },
      { external_id: "💊".repeat(256) }
    ]
    expect(refused(SkuChanges, wrong)).toEqual(wrong)
    expect(refused(StockChange, [{}, { stock: "1" }])).toHaveLength(2)
    expect(refused(ExternalIdChange, [{}, { external_id: 7 }])).toHaveLength(2)
    const prices = [{ price: 0 }, { price: 10_000_000_000 }]
    const stocks = [{ stock: 2_147_483_647 }, { stock: -2_147_483_648 }]
    expect(refused(SkuChanges, [...prices, ...stocks, { external_id: "x".repeat(255) }])).toEqual([])
  })

  test("concurrent changes of different fields are all kept", async () => {
    const world = await layeredPharmacy(layers.current)
    const { uid } = world.skus.drops
    const changes = [{ price: 777 }, { stock: 42 }, { external_id: "final" }]
    const all = Array.from({ length: sized(9, 30) }, (_, i) => changes[i % 3] ?? {})
    await Promise.all(all.map((change) => world.stock((skus, own) => skus.change(own, uid, change))))
    const { data } = await listed(world)
    expect(data.find((one) => one.uid === uid)).toMatchObject({ price: 777, stock: 42, external_id: "final" })
  })
})

describe("changing many SKUs", () => {
  test("every row has its own result, in order", async () => {
    const mine = await makePharmacy(server.current)
    const other = await makePharmacy(server.current)
    const { drops, gel } = mine.skus
    const data = [
      { uid: drops.uid, stock: 5, price: 11 },
      { uid: "psk_unknown", stock: 5 },
      { uid: other.skus.drops.uid, stock: 5 },
      { uid: gel.uid, price: -1, stock: "many" },
      { uid: gel.uid },
      { stock: 1 },
      "nonsense",
      { uid: gel.uid, external_id: "gel-2" },
      { uid: drops.uid, stock: 6 }
    ]
    const { status, body } = await mine.call("PATCH", "/pharmacy_skus/", { body: { data } })
    expect(status).toBe(200)
    expect(body.data.map((row) => row.status)).toEqual([200, 404, 404, 400, 200, 400, 400, 400, 400])
    expect(body.data[0]).toMatchObject({ uid: drops.uid, pharmacy_sku: { stock: 5, price: 11 }, error: [] })
    expect(body.data[3]?.error).toHaveLength(2)
    expect(body.data[4]?.pharmacy_sku).toMatchObject({ uid: gel.uid, stock: 10, price: gel.price })
    expect((await listed(other)).data.map(({ stock }) => stock)).toEqual([10, 10, 10])
  })

  test("accepts 1,000 rows as they are listed, with the fields that do not change, and no more; Rule 2.2.11", async () => {
    const { call, skus } = await makePharmacy(server.current)
    const listing = (await call("GET", "/pharmacy_skus/")).body.data
    const drops = listing.find(({ uid }: { uid: string }) => uid === skus.drops.uid)
    const names = { display_name: "Drops, 10 ml", product_display_name: "Remedy, for the eyes" }
    const row = (i: number) => ({ ...drops, uid: `unknown_${i}`, sku: { ...drops?.sku, ...names } })
    const data = [{ ...drops, stock: 7 }, ...Array.from({ length: 999 }, (_, i) => row(i))]
    const { status, body } = await call("PATCH", "/pharmacy_skus/", { body: { data } })
    expect([status, body.data?.[0]?.pharmacy_sku?.stock, body.data?.length]).toEqual([200, 7, 1_000])
    for (const wrong of [{ data: [...data, row(999)] }, {}, { data: [] }, { data: {} }, []])
      expect((await call("PATCH", "/pharmacy_skus/", { body: wrong })).status).toBe(400)
  })
})

test("a group-wide key names one of its pharmacies", async () => {
  const { call, group_key, pharmacy_uid, skus } = await makePharmacy(server.current)
  const other = await makePharmacy(server.current)
  const at = `/pharmacy_skus/${skus.drops.uid}/stock`
  const asGroup = (query: string, method = "GET", path = "/pharmacy_skus/") =>
    call(method, `${path}${query}`, { key: group_key, ...(method === "PATCH" && { body: { stock: 2 } }) })
  const named = `?pharmacy_uid=${pharmacy_uid}`
  const error = ["pharmacy_uid: required for group-wide keys"]
  expect(await asGroup("")).toMatchObject({ status: 400, body: { error } })
  expect(await asGroup(named)).toMatchObject({ status: 200, body: { totalRegistries: 3 } })
  for (const uid of [other.pharmacy_uid, "pha_unknown"])
    expect((await asGroup(`?pharmacy_uid=${uid}`)).status).toBe(404)
  expect(await asGroup("", "PATCH", at)).toMatchObject({ status: 400, body: { error } })
  expect(await asGroup(named, "PATCH", at)).toMatchObject({ status: 200, body: { stock: 2 } })
})
