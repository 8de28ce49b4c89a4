/** A file that is applied again: its changes are written, changes through the API stay. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { type ApplyOptions, Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { testServer } from "../../support/server.ts"
import { CONSULTATION, makeWorld, random } from "../../support/world.ts"
import { faultsOf as faultsAt } from "./faults.ts"

const server = testServer()

const apply = (json: unknown, options?: ApplyOptions) =>
  server.current.run(Effect.flatMap(Provisioning, (provisioning) => provisioning.apply(json, options)))
const compare = (json: unknown, options?: ApplyOptions) =>
  server.current.run(Effect.flatMap(Provisioning, (provisioning) => provisioning.compare(json, options)))
const query = <A extends object>(text: string) => server.current.query<A>(text)

const faultsOf = (file: unknown) => faultsAt(server.current, file)

const practice = () => {
  const organisation_uid = random("org")
  const type = { uid: random("aty"), organisation_uid, name: "As in the file", ...CONSULTATION }
  const doctor = { uid: random("doc"), organisation_uid, display_name: "Dr. A" }
  const shop = { uid: random("shop"), organisation_uid, shop_identifier: random("identifier") }
  const secret = { organisation_uid, key_id: random("bts"), secret: "a secret that partners sign tokens with" }
  const key = random("spr_key_that_is_long_enough")
  const file = {
    organisations: [{ uid: organisation_uid, name: "Praxis" }],
    shops: [shop],
    doctors: [doctor],
    appointment_types: [type],
    booking_token_secrets: [secret],
    api_keys: [{ key, name: "all", permissions: ["scheduling:read", "scheduling:admin"], organisation_uid }]
  }
  const typeNow = async () => {
    const list = await server.current.api("GET", "/v1/management/scheduling/appointment-types", { key })
    return list.body.data.find(({ uid }: { readonly uid: string }) => uid === type.uid)?.name
  }
  const path = `/v1/management/scheduling/appointment-types/${type.uid}`
  const rename = (name: string) => server.current.api("PATCH", path, { key, body: { name } })
  const remove = () => server.current.api("DELETE", path, { key })
  return { organisation_uid, type, doctor, shop, secret, key, file, typeNow, rename, remove }
}

test("changes through the API stay until the entry changes in the file", async () => {
  const { file, type, typeNow, rename } = practice()
  expect(await apply(file)).toEqual({ written: 6, unchanged: 0 })
  expect((await rename("As changed")).status).toBe(200)
  expect(await apply(file)).toEqual({ written: 0, unchanged: 6 })
  expect(await typeNow()).toBe("As changed")
  const doctors = [{ ...file.doctors[0], display_name: "Dr. B" }]
  expect(await apply({ ...file, doctors })).toEqual({ written: 1, unchanged: 5 })
  expect(await typeNow()).toBe("As changed")
  expect(await apply({ ...file, appointment_types: [{ ...type, name: "New in the file" }] })).toEqual({
    written: 2,
    unchanged: 4
  })
  expect(await typeNow()).toBe("New in the file")
})

test("deletions through the API stay until the entry changes in the file", async () => {
  const { file, type, typeNow, remove } = practice()
  await apply(file)
  expect((await remove()).status).toBe(204)
  await apply(file)
  expect(await typeNow()).toBe(undefined)
  await apply({ ...file, appointment_types: [{ ...type, duration_minutes: 25 }] })
  expect(await typeNow()).toBe("As in the file")
})

test("reordered lists, entries and fields are not a change, nor is an explicit default", async () => {
  const { file, typeNow, rename } = practice()
  const { api_keys, ...rest } = file
  await apply(file)
  await rename("As changed")
  const reversed = Object.fromEntries(Object.entries({ api_keys, ...rest }).reverse())
  const doctors = file.doctors.map((doctor) => Object.fromEntries(Object.entries(doctor).reverse()))
  expect(await apply({ ...reversed, doctors })).toEqual({ written: 0, unchanged: 6 })
  expect(await typeNow()).toBe("As changed")
})

test("reset writes every entry as it is in the file", async () => {
  const { file, typeNow, rename } = practice()
  await apply(file)
  await rename("As changed")
  expect(await apply(file, { reset: true })).toEqual({ written: 6, unchanged: 0 })
  expect(await typeNow()).toBe("As in the file")
})

test("a comparison shows the changes without applying them", async () => {
  const { file, type, typeNow, rename } = practice()
  const created = await compare(file)
  expect(created.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => "created"))
  expect(await query(`SELECT FROM organisations WHERE organisation_uid = '${type.organisation_uid}'`)).toEqual([])
  await apply(file)
  expect(await compare(file)).toEqual([])
  await rename("As changed")
  const doctors = [{ ...file.doctors[0], display_name: "Dr. B" }]
  const secrets = [{ ...file.booking_token_secrets[0], secret: "another secret, of at least 32 bytes" }]
  const compared = await compare({ ...file, doctors, booking_token_secrets: secrets })
  expect(
    compared.map(({ list, index, outcome, differences }) => [
      [list, index, outcome],
      ...differences.map(({ field, before, after }) => [field, before, after])
    ])
  ).toEqual([
    [
      ["doctors", 0, "changed"],
      ["display_name", '"Dr. A"', '"Dr. B"']
    ],
    [
      ["booking_token_secrets", 0, "changed"],
      ["secret_sealed", undefined, undefined]
    ],
    [
      ["appointment_types", 0, "kept"],
      ["name", '"As changed"', '"As in the file"']
    ]
  ])
  expect(await compare(file, { reset: true })).toMatchObject([{ list: "appointment_types", outcome: "changed" }])
  expect(await typeNow()).toBe("As changed")
})

test("a comparison fails with the faults of the file", async () => {
  const { file } = practice()
  const doctors = [{ uid: random("doc"), organisation_uid: "org_nowhere", display_name: "Dr." }]
  await expect(compare({ ...file, doctors })).rejects.toThrow(/doctors\[0\].organisation_uid: refers to something/)
})

test("unchanged secrets are not sealed again, even by a reset", async () => {
  const { file, organisation_uid } = practice()
  await apply(file)
  const sealed = () =>
    query(`SELECT storefront_sealed AS sealed FROM shops WHERE organisation_uid = '${organisation_uid}'
      UNION ALL SELECT secret_sealed FROM booking_token_secrets WHERE organisation_uid = '${organisation_uid}'`)
  const before = await sealed()
  await apply(file, { reset: true })
  expect(await sealed()).toEqual(before)
})

test("the same name twice in a list is a fault", async () => {
  const { file, doctor, key, organisation_uid, secret } = practice()
  const twice = {
    ...file,
    doctors: [doctor, { ...doctor, display_name: "Dr. B" }],
    api_keys: [...file.api_keys, { key, name: "again", permissions: [], organisation_uid }],
    booking_token_secrets: [secret, secret]
  }
  expect(await faultsOf(twice)).toEqual([
    "doctors[1].uid: is used by doctors[0] already",
    "booking_token_secrets[1].key_id: is used by booking_token_secrets[0] already",
    "api_keys[1].key: is used by api_keys[0] already"
  ])
  expect(await query(`SELECT FROM organisations WHERE organisation_uid = '${organisation_uid}'`)).toEqual([])
})

test("a key has only permissions of its owner's kind", async () => {
  const { organisation_uid } = practice()
  const key = { key: random("spr_key_that_is_long_enough"), name: "some" }
  expect(
    await faultsOf({
      api_keys: [
        { ...key, permissions: ["orders_read", "scheduling:read"], pharmacy_uid: "pha_any" },
        { ...key, permissions: ["stock_read"], organisation_uid },
        { ...key, permissions: ["prescription:read"], pharmacy_group_uid: "phg_any" },
        { ...key, permissions: [] }
      ]
    })
  ).toEqual([
    "api_keys[0].permissions[1]: is not for a key with pharmacy_uid",
    "api_keys[1].permissions[0]: is not for a key with organisation_uid",
    "api_keys[2].permissions[0]: is not for a key with pharmacy_group_uid",
    "api_keys[3]: needs exactly one of organisation_uid, pharmacy_uid, pharmacy_group_uid"
  ])
})

test("several processes that apply a file concurrently write it once", async () => {
  const { file } = practice()
  const done = await Promise.all([1, 2, 3, 4].map(() => apply(file)))
  expect(done.map(({ written }) => written).sort()).toEqual([0, 0, 0, 6])
})

test("new prices in the file update the payouts of open orders", async () => {
  const { shop_uid } = await makeWorld(server.current)
  const [pharmacy_uid, product_uid, sku_uid] = [random("pha"), random("prd"), random("sku")]
  const unit = { display_name: "SKU", standard_selling_unit: 1, unit: "Stück", selling_price: 1_000 }
  const stocked = (price: number) => ({
    uid: `psk_${sku_uid}`,
    pharmacy_uid,
    sku_uid,
    external_id: "1",
    price,
    stock: 1
  })
  const lines = [{ sku_uid, quantity: 1, unit_price: 1_000 }]
  const file = (price: number) => ({
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
    products: [{ uid: product_uid, display_name: "Product", handle: "product" }],
    skus: [{ uid: sku_uid, product_uid, ...unit }],
    pharmacy_skus: [stocked(price)],
    pharmacy_orders: [{ uid: `pho_${sku_uid}`, name: "#1", pharmacy_uid, shop_uid, lines }]
  })
  for (const price of [500, 600]) {
    await apply(file(price))
    const owed = `SELECT amount FROM payouts WHERE pharmacy_uid = '${pharmacy_uid}' AND component_type = 'item_rest'`
    expect([price, await query(owed)]).toEqual([price, [{ amount: price }]])
  }
})
