/** Shops and the organisation itself by the management interface. Rules 12.1.2, 12.1.3, 12.1.14, 12.1.15. */
import { expect, test } from "bun:test"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()

const scene = async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const call = (method: string, at: string, body?: unknown) => world.api(method, `/v1/management${at}`, body)
  return { ...world, call }
}

const pharmacies = async ({ provision }: { readonly provision: (file: unknown) => Promise<unknown> }) => {
  const uids = [random("pha"), random("pha")]
  await provision({ pharmacies: uids.map((uid) => ({ uid, name: "Apotheke" })) })
  return uids
}

test("a shop is created, accepts bookings by its identifier, and is changed", async () => {
  const world = await scene()
  const { call, organisation_uid, type_uid, token } = world
  const [one, two] = await pharmacies(world)
  const shop_identifier = random("shop")
  const made = await call("POST", "/shops", { shop_identifier, default_pharmacy_uid: one, pharmacy_uids: [two] })
  expect(made).toMatchObject({ status: 201 })
  expect(made.body).toEqual({
    uid: expect.stringMatching(/^shp_/),
    organisation_uid,
    shop_identifier,
    name: shop_identifier,
    default_pharmacy_uid: one,
    pharmacy_uids: [two, one],
    pharmacy_choice: "any",
    anamnesis_sku_uids: [],
    storefront: { kind: "embedded", shop_domain: null },
    created_at: expect.any(Number),
    updated_at: expect.any(Number)
  })
  const at = `/shops/${made.body.uid}`
  const session = await server.current.api("POST", "/v1/scheduling/booking-sessions", {
    token: await token("anna", { shop_identifier }),
    body: { mode: "booking", appointment_type_uid: type_uid, from: 0, to: 1 }
  })
  expect(session.status).toBe(200)
  const changed = await call("PATCH", at, { name: "Shop", pharmacy_uids: null })
  expect(changed).toMatchObject({ status: 200, body: { name: "Shop", pharmacy_uids: null, default_pharmacy_uid: one } })
  expect((await call("GET", at)).body).toEqual(changed.body)
  expect((await call("GET", "/shops")).body).toMatchObject({ totalRegistries: 2 })
})

test("a storefront's secrets are in no answer and survive other changes", async () => {
  const { call } = await scene()
  const storefront = {
    kind: "shopify",
    shop_domain: "example.myshopify.com",
    admin_access_token: "hidden-admin",
    storefront_access_token: "hidden-storefront",
    webhook_secret: "hidden-webhook"
  }
  const made = await call("POST", "/shops", { shop_identifier: random("shop"), storefront })
  expect(made.body.storefront).toEqual({ kind: "shopify", shop_domain: "example.myshopify.com" })
  const at = `/shops/${made.body.uid}`
  const answers = [made, await call("PATCH", at, { name: "Other" }), await call("GET", at), await call("GET", "/shops")]
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain("hidden")
  expect((await call("PATCH", at, { storefront: { kind: "shopify" } })).status).toBe(400)
  // Tokens do not follow to another shop's address; Rule 12.1.18
  const elsewhere = { kind: "shopify", shop_domain: "other.myshopify.com" }
  expect((await call("PATCH", at, { storefront: elsewhere })).body.error).toEqual([
    "storefront.admin_access_token: is required",
    "storefront.storefront_access_token: is required",
    "storefront.webhook_secret: is required"
  ])
  expect((await call("GET", at)).body.storefront.kind).toBe("shopify")
})

test("a shop's identifier is globally unique, and its pharmacies must exist", async () => {
  const [mine, other] = [await scene(), await scene()]
  const { shop_identifier } = other
  const refused = { status: 409, body: { code: "already_used", error: expect.stringContaining("shop_identifier") } }
  expect(await mine.call("POST", "/shops", { shop_identifier })).toMatchObject(refused)
  expect(await mine.call("PATCH", `/shops/${mine.shop_uid}`, { shop_identifier })).toMatchObject(refused)
  const unknown = await mine.call("POST", "/shops", { shop_identifier: random("shop"), pharmacy_uids: ["none"] })
  expect(unknown.body.error).toEqual(["pharmacy_uids[0]: refers to something that does not exist"])
  for (const default_pharmacy_uid of ["none"])
    expect((await mine.call("PATCH", `/shops/${mine.shop_uid}`, { default_pharmacy_uid })).body.error).toEqual([
      "default_pharmacy_uid: refers to something that does not exist"
    ])
})

test("the organisation is read and changed; its limits apply at once", async () => {
  const { call, organisation_uid, session, hold } = await scene()
  const before = (await call("GET", "/organisation")).body
  const { uid, name, timezone, embed_origins, admins } = before
  expect([uid, name, timezone, embed_origins, admins]).toEqual([organisation_uid, "Praxis", "UTC", [], []])
  const admin = { uid: random("adm"), display_name: "Verwaltung", email: "admin@example.org", phone: null }
  const changes = { patient_live_holds_max: 1, embed_origins: ["https://example.org"], admins: [admin] }
  const changed = await call("PATCH", "/organisation", changes)
  expect(changed.status).toBe(200)
  expect(changed.body).toEqual({ ...before, ...changes, updated_at: expect.any(Number) })
  expect((await call("GET", "/organisation")).body).toEqual(changed.body)
  expect((await hold(await session(), inDays(3))).status).toBe(200)
  expect(await hold(await session(), inDays(3, 1))).toMatchObject({ status: 429, body: { code: "too_many_holds" } })
  const bad = await call("PATCH", "/organisation", { patient_live_holds_max: 0, embed_origins: ["https://a.org/x"] })
  expect(bad.body.error.map((fault: string) => fault.split(":")[0]).toSorted()).toEqual([
    "embed_origins[0]",
    "patient_live_holds_max"
  ])
})

test("an organisation's change with a tag needs the current tag", async () => {
  const { call, key } = await scene()
  const tag = (await call("GET", "/organisation")).headers.get("etag") ?? ""
  const change = (name: string) =>
    server.current.api("PATCH", "/v1/management/organisation", { key, body: { name }, headers: { "if-match": tag } })
  expect((await change("A")).status).toBe(200)
  expect((await change("B")).status).toBe(412)
})

test("a shop_identifier that is no path segment is refused at creation; Rule 12.1.24", async () => {
  const { call, organisation_uid, provision } = await scene()
  for (const shop_identifier of ["a/b", "a\\b", ".", "..", ""]) {
    const made = await call("POST", "/shops", { shop_identifier })
    expect([shop_identifier, made.status, made.body.error?.[0]]).toEqual([
      shop_identifier,
      400,
      expect.stringMatching(/^shop_identifier: /)
    ])
    await expect(provision({ shops: [{ uid: random("shop"), organisation_uid, shop_identifier }] })).rejects.toThrow()
  }
  for (const shop_identifier of [`${random("a")}.b`, `...${random("x")}`, `Ä ${random("y")}`])
    expect((await call("POST", "/shops", { shop_identifier })).status).toBe(201)
})
