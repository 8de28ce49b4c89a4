/** Limits of an organisation's own settings: others' pharmacies, and addresses of the internal network. */
import { expect, test } from "bun:test"
import { makeShop } from "../../checkout/support/shop.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

const server = testServer({ WEBHOOK_ALLOW_PRIVATE: "false" })

const scene = async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const [own, foreign] = [random("pha"), random("pha")]
  await world.provision({ pharmacies: [own, foreign].map((uid) => ({ uid, name: "Apotheke" })) })
  const { organisation_uid } = world
  await world.provision({ organisations: [{ uid: organisation_uid, name: "Praxis", pharmacy_uids: [own] }] })
  const call = (method: string, at: string, body: object) => world.api(method, `/v1/management${at}`, body)
  return { ...world, own, foreign, call }
}

test("without an allow-list, an organisation's shops may name only the pharmacies of its shops", async () => {
  const { provision, call, own, foreign, organisation_uid } = await scene()
  await provision({ organisations: [{ uid: organisation_uid, name: "Praxis" }] })
  const make = (fields: object) => call("POST", "/shops", { shop_identifier: random("shop"), ...fields })
  expect((await make({ pharmacy_uids: [foreign] })).status).toBe(201) // its shop may use all
  const other = await scene()
  const shop = { uid: other.shop_uid, shop_identifier: other.shop_identifier, pharmacy_uids: [own] }
  await other.provision({
    organisations: [{ uid: other.organisation_uid, name: "Praxis" }],
    shops: [{ ...shop, organisation_uid: other.organisation_uid }]
  })
  const elsewhere = (fields: object) => other.call("POST", "/shops", { shop_identifier: random("shop"), ...fields })
  for (const fields of [{ pharmacy_uids: [foreign] }, { default_pharmacy_uid: foreign }])
    expect((await elsewhere(fields)).status).toBe(400)
  expect(await elsewhere({})).toMatchObject({ status: 201, body: { pharmacy_uids: [own] } })
  const widened = await other.call("PATCH", `/shops/${other.shop_uid}`, { pharmacy_uids: null })
  expect(widened).toMatchObject({ status: 200, body: { pharmacy_uids: [own] } })
})

// Shows: a shop's order sent to another organisation's pharmacy
test("an organisation's shops may name only pharmacies that the operator assigned", async () => {
  const { call, own, foreign, shop_uid } = await scene()
  const shop = (fields: object) => call("POST", "/shops", { shop_identifier: random("shop"), ...fields })
  const missing = "refers to something that does not exist"
  expect((await shop({ pharmacy_uids: [own, foreign] })).body.error).toEqual([`pharmacy_uids[1]: ${missing}`])
  expect((await shop({ default_pharmacy_uid: foreign })).body.error).toEqual([`default_pharmacy_uid: ${missing}`])
  expect((await call("PATCH", `/shops/${shop_uid}`, { pharmacy_uids: [foreign] })).status).toBe(400)
  expect((await shop({ pharmacy_uids: [own], default_pharmacy_uid: own })).status).toBe(201)
  expect((await call("PATCH", "/organisation", { name: "Other", pharmacy_uids: [foreign] })).status).toBe(200)
  expect((await shop({ pharmacy_uids: [foreign] })).status).toBe(400)
})

// Shows: spoofed names, mail header injection
test("a mail setting is one address, and an origin names one host", async () => {
  const { call, doctor } = await scene()
  const mail = "must be an e-mail address of at most 320 characters"
  for (const email of ["a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", "a@b.example>", "nobody"]) {
    expect((await call("PATCH", `/doctors/${doctor}`, { email })).body.error).toEqual([`email: ${mail}`])
    const admins = [{ uid: "adm", display_name: "A", email }]
    expect((await call("PATCH", "/organisation", { admins })).body.error).toEqual([`admins[0].email: ${mail}`])
  }
  // `;` and `,` would end the policy in which pages name these origins
  for (const origin of ["https://*", "https://a;report-uri", "https://a,b"])
    expect((await call("PATCH", "/organisation", { embed_origins: [origin] })).body.error).toEqual([
      "embed_origins[0]: must be an origin, e.g. https://example.org"
    ])
})

// Shows: spoofed names, mail header injection
test("a patient's name contains no invisible or direction character, whoever sends it", async () => {
  const { call, key, shop_uid, token } = await scene()
  const sent = { first_name: "\u202eEve\u0007\nMaria", last_name: "می\u200cخواهم" }
  const seen = { first_name: "Eve Maria", last_name: "می\u200cخواهم" }
  const made = await call("POST", "/patients", { shop_uid, profile: sent })
  expect(made.body.profile).toEqual(seen)
  const fields = Object.entries(sent).map(([field, value]) => ({ field, value, source: "shop" }))
  await server.current.api("POST", "/v1/scheduling/booking-sessions", {
    token: await token("eve", { patient_profile_fields: fields }),
    body: { mode: "booking", appointment_type_uid: "none", from: 0, to: 1 }
  })
  const listed = await server.current.api("GET", "/v1/management/patients?shop_customer_id=eve", { key })
  expect(listed.body.data).toMatchObject([{ profile: seen }])
})

// Shows: SSRF through a storefront's address
test("a storefront is at a public domain alone", async () => {
  const { call, shop_uid } = await scene()
  const secrets = { admin_access_token: "a", storefront_access_token: "b", webhook_secret: "c" }
  const refused = ["storefront.shop_domain: must be a domain, e.g. example.myshopify.com"]
  for (const shop_domain of [
    "http://169.254.169.254",
    "https://internal.example",
    "127.0.0.1",
    "[::1]",
    "localhost",
    "a.localhost",
    "registry.internal",
    "db.example:5432",
    "shop.example/admin?",
    "a@shop.example",
    "shop.example#"
  ]) {
    const storefront = { kind: "shopify", shop_domain, ...secrets }
    const made = await call("POST", "/shops", { shop_identifier: random("s"), storefront })
    const changed = await call("PATCH", `/shops/${shop_uid}`, { storefront })
    expect([shop_domain, made.body.error, changed.body.error]).toEqual([shop_domain, refused, refused])
  }
})

// Shows: SSRF through a storefront's address
// Shows: SSRF
test("no storefront is called in a private network, even if a provisioning file names it", async () => {
  const requested: Array<string> = []
  using inside = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => Response.json({ asked: requested.push(url) })
  })
  const tokens = { admin_access_token: "a", storefront_access_token: "b", webhook_secret: random("whs") }
  const shop_domain = inside.url.origin
  const shop = await makeShop(server.current, { storefront: { kind: "shopify", shop_domain, ...tokens } })
  expect(await shop.prescribe({ prepaid: true })).toMatchObject({ status: 503 })
  expect(requested).toEqual([])
})
