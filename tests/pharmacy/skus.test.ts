import { describe, expect, test } from "bun:test"
import { sized } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { random } from "../support/world.ts"
import { eventsIn, makePharmacy } from "./pharmacyWorld.ts"

const server = testServer({ ROLE: "http" })

describe("listing SKUs", () => {
  test("shows every field of a SKU", async () => {
    const { call, skus, pharmacy_uid, product_uid } = await makePharmacy(server.current)
    const { status, body } = await call("GET", "/pharmacy_skus/")
    expect(status).toBe(200)
    expect(body.totalRegistries).toBe(3)
    const drops = body.data.find(({ uid }: { uid: string }) => uid === skus.drops.uid)
    expect(drops).toEqual({
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
  })

  test("returns only those named by uid, external id or PZN, Rule 10.3.5", async () => {
    const { call, provision, skus, pharmacy_uid, product_uid } = await makePharmacy(server.current)
    const [sku_uid, uid, pzn] = [random("sku"), random("psk"), random("pzn")]
    const named = async (...names: ReadonlyArray<string>) => {
      const { body } = await call("GET", `/pharmacy_skus/?${new URLSearchParams({ names: names.join("\n") })}`)
      expect(body.totalRegistries).toBe(body.data.length)
      return body.data.map((one: { uid: string }) => one.uid).sort()
    }
    await provision({
      skus: [
        { uid: sku_uid, product_uid, display_name: "Pills", pzn, standard_selling_unit: 1, unit: "g", selling_price: 1 }
      ],
      pharmacy_skus: [{ uid, pharmacy_uid, sku_uid, external_id: "a,b", price: 1, stock: 0 }]
    })
    for (const name of [uid, "a,b", pzn]) expect(await named(name)).toEqual([uid])
    expect(await named(skus.drops.uid, "unknown", pzn)).toEqual([skus.drops.uid, uid].sort())
    expect(await named("unknown")).toEqual([])
  })

  test("is paged, and reduces a limit over 500", async () => {
    const { call, pharmacy_uid, skus } = await makePharmacy(server.current)
    await server.current.sql`INSERT INTO pharmacy_skus
      SELECT (jsonb_populate_record(p, jsonb_build_object('uid', p.uid || n))).*
      FROM pharmacy_skus p, generate_series(1, 510) n WHERE pharmacy_uid = ${pharmacy_uid} AND uid = ${skus.drops.uid}`
    const all = await call("GET", "/pharmacy_skus/?limit=9999")
    expect(all.body.data).toHaveLength(500)
    expect(all.body).toMatchObject({ totalRegistries: 513, totalPages: 2 })
    const second = await call("GET", "/pharmacy_skus/?limit=500&page=1")
    expect(second.body.data).toHaveLength(13)
    const first = await call("GET", "/pharmacy_skus/")
    expect(first.body.data).toHaveLength(50)
    expect(new Set([...all.body.data, ...second.body.data].map(({ uid }) => uid)).size).toBe(513)
    for (const bad of ["limit=0", "limit=-1", "page=-1", "limit=x"])
      expect((await call("GET", `/pharmacy_skus/?${bad}`)).status).toBe(400)
  })

  test("products carry their SKUs", async () => {
    const { call, product_uid } = await makePharmacy(server.current)
    const { body } = await call("GET", "/pharmacy_products/")
    expect(body).toMatchObject({
      data: [{ uid: product_uid, display_name: "Remedy", handle: "remedy" }],
      totalRegistries: 1,
      totalPages: 1
    })
    expect(body.data[0].skus).toHaveLength(3)
    expect(body.data[0].skus[0].sku.product_uid).toBe(product_uid)
  })

  test.each(["digital", "physical"] as const)(
    "hides %s SKUs from lists, counts, products and updates",
    async (type) => {
      const world = await makePharmacy(server.current, { pharmacy: { hidden_sku_types: [type] } })
      const left = type === "digital" ? 2 : 1
      const { body } = await world.call("GET", "/pharmacy_skus/")
      expect(body.data).toHaveLength(left)
      expect(body.totalRegistries).toBe(left)
      expect(body.data.every(({ sku }: { sku: { digital: boolean } }) => sku.digital === (type === "physical"))).toBe(
        true
      )
      expect((await world.call("GET", "/pharmacy_products/")).body.data[0].skus).toHaveLength(left)
      const hidden = type === "digital" ? world.skus.consult : world.skus.drops
      for (const [path, change] of [
        ["", { price: 1 }],
        ["/stock", { stock: 1 }],
        ["/external_id", { external_id: "x" }]
      ] as const)
        expect((await world.call("PATCH", `/pharmacy_skus/${hidden.uid}${path}`, { body: change })).status).toBe(404)
    }
  )

  test("follow a SKU that moves to another product, and one whose type changes", async () => {
    const { call, provision, skus, product_uid } = await makePharmacy(server.current, {
      pharmacy: { hidden_sku_types: ["digital"] }
    })
    const other = random("pro")
    const changed = (sku: { readonly sku: string }, product: string, digital: boolean) => ({
      uid: sku.sku,
      product_uid: product,
      display_name: "Changed",
      standard_selling_unit: 1,
      unit: "g",
      digital,
      selling_price: 1
    })
    await provision({
      products: [{ uid: other, display_name: "Other", handle: "other" }],
      skus: [
        changed(skus.drops, other, false),
        changed(skus.gel, product_uid, true),
        changed(skus.consult, product_uid, false)
      ]
    })
    const { data, totalRegistries } = (await call("GET", "/pharmacy_products/")).body
    const shown = data.map((one: { uid: string; skus: ReadonlyArray<{ uid: string }> }) => [
      one.uid,
      ...one.skus.map(({ uid }) => uid)
    ])
    const expected = [
      [other, skus.drops.uid],
      [product_uid, skus.consult.uid]
    ]
    expect(shown).toEqual(expected.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)))
    expect(totalRegistries).toBe(2)
    expect((await call("GET", "/pharmacy_skus/")).body.totalRegistries).toBe(2)
  })
})

describe("changing a SKU", () => {
  test("only the sent fields change, and the whole SKU is returned", async () => {
    const { call, skus } = await makePharmacy(server.current)
    const at = `/pharmacy_skus/${skus.drops.uid}`
    const priced = await call("PATCH", at, { body: { price: 1_234, unknown: true } })
    expect(priced.status).toBe(200)
    expect(priced.body).toMatchObject({ price: 1_234, stock: 10, external_id: `ext-${skus.drops.uid}` })
    expect((await call("PATCH", `${at}/stock`, { body: { stock: -5 } })).body).toMatchObject({
      price: 1_234,
      stock: -5
    })
    expect((await call("PATCH", `${at}/external_id`, { body: { external_id: "É 1" } })).body).toMatchObject({
      external_id: "É 1",
      stock: -5
    })
    const emoji = "💊".repeat(255)
    expect((await call("PATCH", at, { body: { external_id: emoji } })).body).toMatchObject({ external_id: emoji })
    const all = await call("PATCH", at, { body: { price: 0, stock: 3, external_id: "new" } })
    expect(all.body).toMatchObject({ price: 0, stock: 3, external_id: "new", sku: { display_name: "Drops" } })
  })

  test.each([
    ["", {}],
    ["", { price: -1 }],
    ["", { price: 10_000_000_001 }],
    ["", { price: 1.5 }],
    ["", { price: "1" }],
    ["", { price: null }],
    ["", { stock: 2_147_483_648 }],
    ["", { stock: -2_147_483_649 }],
    ["", { external_id: "" }],
    ["", { external_id: "x".repeat(256) }],
    ["", { external_id: "💊".repeat(256) }],
    ["/stock", {}],
    ["/stock", { stock: "1" }],
    ["/external_id", {}],
    ["/external_id", { external_id: 7 }]
  ])("%s with %p is 400 and changes nothing", async (path, body) => {
    const { call, skus } = await makePharmacy(server.current)
    const answer = await call("PATCH", `/pharmacy_skus/${skus.gel.uid}${path}`, { body })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toBeArray()
    const [gel] = (await call("GET", "/pharmacy_skus/")).body.data.filter(
      ({ uid }: { uid: string }) => uid === skus.gel.uid
    )
    expect(gel).toMatchObject({ price: 2_550, stock: 10, external_id: `ext-${skus.gel.uid}` })
  })

  test("bounds are inclusive", async () => {
    const { call, skus } = await makePharmacy(server.current)
    for (const body of [
      { stock: 2_147_483_647 },
      { stock: -2_147_483_648 },
      { price: 0 },
      { external_id: "x".repeat(255) }
    ])
      expect((await call("PATCH", `/pharmacy_skus/${skus.gel.uid}`, { body })).status).toBe(200)
  })

  test("concurrent changes of different fields are all kept", async () => {
    const { call, skus } = await makePharmacy(server.current)
    const at = `/pharmacy_skus/${skus.drops.uid}`
    const answers = await Promise.all(
      Array.from({ length: sized(9, 30) }, (_, i) =>
        i % 3 === 0
          ? call("PATCH", at, { body: { price: 777 } })
          : i % 3 === 1
            ? call("PATCH", `${at}/stock`, { body: { stock: 42 } })
            : call("PATCH", `${at}/external_id`, { body: { external_id: "final" } })
      )
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await call("PATCH", at, { body: { price: 777 } })).body).toMatchObject({
      price: 777,
      stock: 42,
      external_id: "final"
    })
  })

  test("an event is published", async () => {
    const { call, skus, pharmacy_uid } = await makePharmacy(server.current)
    await call("PATCH", `/pharmacy_skus/${skus.drops.uid}/stock`, { body: { stock: 1 } })
    const events = await eventsOf(pharmacy_uid)
    expect(events).toMatchObject([{ type: "pharmacy_sku.updated", data: { pharmacy_sku: { stock: 1 } } }])
  })
})

describe("changing many SKUs", () => {
  test("every row has its own result, in order", async () => {
    const mine = await makePharmacy(server.current)
    const other = await makePharmacy(server.current)
    const { drops, gel } = mine.skus
    const { status, body } = await mine.call("PATCH", "/pharmacy_skus/", {
      body: {
        data: [
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
      }
    })
    expect(status).toBe(200)
    expect(body.data.map((row) => row.status)).toEqual([200, 404, 404, 400, 400, 400, 400, 200, 400])
    expect(body.data[0]).toMatchObject({ uid: drops.uid, pharmacy_sku: { stock: 5, price: 11 }, error: [] })
    expect(body.data[3]?.error).toHaveLength(2)
    expect(body.data[7]?.pharmacy_sku.external_id).toBe("gel-2")
    const untouched = await other.call("GET", "/pharmacy_skus/")
    expect(untouched.body.data.every(({ stock }: { stock: number }) => stock === 10)).toBe(true)
  })

  test("accepts 1,000 rows as they are listed, with the fields that do not change; Rule 2.2.11", async () => {
    const { call, skus } = await makePharmacy(server.current)
    const listed = (await call("GET", "/pharmacy_skus/")).body.data
    const drops = listed.find(({ uid }: { uid: string }) => uid === skus.drops.uid)
    const names = { display_name: "Drops, 10 ml", product_display_name: "Remedy, for the eyes" }
    const row = (i: number) => ({ ...drops, uid: `unknown_${i}`, sku: { ...drops?.sku, ...names } })
    const data = [{ ...drops, stock: 7 }, ...Array.from({ length: 999 }, (_, i) => row(i))]
    const { status, body } = await call("PATCH", "/pharmacy_skus/", { body: { data } })
    expect([status, body.data?.[0]?.pharmacy_sku?.stock, body.data?.length]).toEqual([200, 7, 1_000])
  })

  test("accepts at most 1,000 rows", async () => {
    const { call } = await makePharmacy(server.current)
    const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ uid: `psk_${i}`, stock: i }))
    expect((await call("PATCH", "/pharmacy_skus/", { body: { data: rows(1_000) } })).body.data).toHaveLength(1_000)
    expect((await call("PATCH", "/pharmacy_skus/", { body: { data: rows(1_001) } })).status).toBe(400)
    for (const body of [{}, { data: [] }, { data: {} }, []])
      expect((await call("PATCH", "/pharmacy_skus/", { body })).status).toBe(400)
  })
})

describe("the pharmacy of a request", () => {
  test("a group-wide key names one of its pharmacies", async () => {
    const { call, group_key, pharmacy_uid, skus } = await makePharmacy(server.current)
    const other = await makePharmacy(server.current)
    const bare = await call("GET", "/pharmacy_skus/", { key: group_key })
    expect(bare.status).toBe(400)
    expect(bare.body.error).toEqual(["pharmacy_uid: required for group-wide keys"])
    const mine = await call("GET", `/pharmacy_skus/?pharmacy_uid=${pharmacy_uid}`, { key: group_key })
    expect(mine.body.totalRegistries).toBe(3)
    for (const uid of [other.pharmacy_uid, "pha_unknown"])
      expect((await call("GET", `/pharmacy_skus/?pharmacy_uid=${uid}`, { key: group_key })).status).toBe(404)
    const change = { body: { stock: 2 }, key: group_key }
    const at = `/pharmacy_skus/${skus.drops.uid}/stock`
    expect((await call("PATCH", at, change)).status).toBe(400)
    expect((await call("PATCH", `${at}?pharmacy_uid=${pharmacy_uid}`, change)).body.stock).toBe(2)
  })
})

const eventsOf = (pharmacy_uid: string) => eventsIn(server.current, pharmacy_uid)
