/** `ETag` on reads, `If-Match` on changes. Rules 2.6.5 and 2.6.6. That every kind of record has them: `document.test.ts`. */
import { beforeAll, describe, expect, test } from "bun:test"
import { someOf } from "../support/scale.ts"
import { type Answer, testServer } from "../support/server.ts"
import { CONSULTATION, inDays, random } from "../support/world.ts"
import { type CredentialKind, makeTenant, type Tenant } from "./matrix/tenant.ts"

const server = testServer()
let tenant: Tenant
beforeAll(async () => {
  tenant = await makeTenant(server.current)
})

/** Unique, so that no record or change is like an earlier one. */
let turns = 0
const turn = () => ++turns

interface Kind {
  /** The path of the list, below /v1/. */
  readonly list: string
  readonly query?: string
  /** By default with a key of the organisation. */
  readonly as?: CredentialKind
  /** A new record; of a kind that no request creates, the uid of one. */
  readonly created: (() => object) | string
  readonly change: () => object
  readonly canDelete?: false
}

const management = "management/scheduling"
const url = () => ({ url: `http://127.0.0.1:9/${turn()}` })
const named =
  (field = "name") =>
  () => ({ [field]: `Name ${turn()}` })
const reminders = (of: string, type = "", as?: CredentialKind): Kind => ({
  list: `${of}/appointment-types/${type}/reminders`,
  ...(as !== undefined && { as }),
  created: () => ({ recipient_role: "patient", minutes_before: 60 + turn() }),
  change: () => ({ minutes_before: 60 + turn() })
})
const rules = (of: string, as?: CredentialKind): Kind => ({
  list: `${of}/availability-rules`,
  ...(as !== undefined && { as }),
  created: () => ({ weekday: 1, start_time: 540, end_time: 720 }),
  change: () => ({ end_time: 720 + turn() })
})
const overrides = (of: string, as?: CredentialKind): Kind => ({
  ...rules(of, as),
  list: `${of}/availability-date-overrides`,
  query: `?from=${inDays(30)}&to=${inDays(50)}&limit=50`,
  created: () => ({ date: inDays(40), start_time: 540, end_time: 600 })
})

const kinds: Readonly<Record<string, (tenant: Tenant["named"]) => Kind>> = {
  "an appointment type": () => ({
    list: `${management}/appointment-types`,
    created: () => ({ name: `Type ${turn()}`, ...CONSULTATION }),
    change: named()
  }),
  "a reminder": ({ appointment_type_uid }) => reminders(management, appointment_type_uid),
  "an administrator's reminder": ({ appointment_type_uid }) =>
    reminders("admin/scheduling", appointment_type_uid, "admin"),
  "a doctor's rule": ({ doctor_uid }) => rules(`${management}/doctors/${doctor_uid}`),
  "a resource's rule": ({ resource_uid }) => rules(`${management}/resources/${resource_uid}`),
  "a doctor's own rule": () => rules("doctor", "doctor"),
  "a doctor's override": ({ doctor_uid }) => overrides(`${management}/doctors/${doctor_uid}`),
  "a resource's override": ({ resource_uid }) => overrides(`${management}/resources/${resource_uid}`),
  "a doctor's own override": () => overrides("doctor", "doctor"),
  "a resource": () => ({
    list: `${management}/resources`,
    created: () => ({ kind: "room", name: "A" }),
    change: named()
  }),
  "a doctor": () => ({ list: "management/doctors", created: named("display_name"), change: named("display_name") }),
  "a shop": () => ({
    list: "management/shops",
    created: () => ({ shop_identifier: random("shop") }),
    change: named(),
    canDelete: false
  }),
  "a FHIR client": () => {
    const keys = { jwks_uri: "https://portal.example.org/jwks.json", scopes: ["system/Slot.rs"] }
    const created = () => ({ client_id: random("client"), name: "Portal", ...keys })
    return { list: "admin/fhir-clients", as: "admin", created, change: named() }
  },
  "a patient": ({ shop_uid }) => ({
    list: "management/patients",
    created: () => ({ shop_uid }),
    change: () => ({ profile: { city: `City ${turn()}` } }),
    canDelete: false
  }),
  "a notification subscription": () => ({
    list: "management/notification-subscriptions",
    created: () => ({ notification_type: "REBOOKED", ...url() }),
    change: url
  }),
  "a pharmacy's webhook": () => ({
    list: "external_pharmacy_api/webhooks/",
    as: "pharmacy",
    created: () => ({ event_types: ["pharmacy_sku.updated"], ...url() }),
    change: url
  }),
  "a pharmacy's SKU": ({ pharmacy_sku_uid = "" }) => ({
    list: "external_pharmacy_api/pharmacy_skus/",
    as: "pharmacy",
    created: pharmacy_sku_uid,
    change: () => ({ stock: 10 + turn() }),
    canDelete: false
  })
}

const tagOf = ({ headers }: Answer) => {
  const tag = headers.get("etag") ?? ""
  expect(tag).toMatch(/^"[\w.-]+"$/)
  return tag
}
const refused = { status: 412, body: { code: "precondition_failed" } }

describe.each(someOf(Object.entries(kinds), 2))("%s", (_, kindIn) => {
  const setUp = async () => {
    const { list, query = "", as = "organisation", created, ...kind } = kindIn(tenant.named)
    const credential = await tenant.credentials[as]()
    const ask = (method: string, path: string, more: object = {}) =>
      server.current.api(method, `/v1/${path}`, { ...credential, ...more })
    const made = typeof created === "string" ? undefined : await ask("POST", list, { body: created() })
    const { uid, client_id = uid } = made === undefined ? { uid: created } : made.body
    const send = (method: string, tag?: string) =>
      ask(method, `${list.replace(/\/$/, "")}/${client_id}`, {
        ...(method === "PATCH" && { body: kind.change() }),
        ...(tag !== undefined && { headers: { "if-match": tag } })
      })
    return { ...kind, made, send, read: async () => tagOf(await ask("GET", list + query)) }
  }

  test("is changed under the current tag of its list, and under none that is older, weak, foreign or malformed", async () => {
    const { read, send } = await setUp()
    const before = await read()
    expect(await read()).toBe(before)
    expect((await send("PATCH", before)).status).toBe(200)
    const tag = await read()
    expect(tag).not.toBe(before)
    expect(await send("PATCH", before)).toMatchObject(refused)
    const hash = "x".repeat(22)
    const foreign = `"${hash}.${Buffer.from('{"limit":"1000000"}').toString("base64url")}"`
    for (const other of [`W/${tag}`, '""', "x", foreign, `"${hash}.e30"`, `"${hash}.!"`, tag.slice(1, -1)])
      expect([other, (await send("PATCH", other)).status]).toEqual([other, 412])
    expect(await read()).toBe(tag)
    expect((await send("PATCH")).status).toBe(200)
  })

  test("is changed under its own tag, once of several times at once", async () => {
    const { made, send } = await setUp()
    const first = await send("PATCH", made === undefined ? "*" : tagOf(made))
    expect(first.status).toBe(200)
    const second = await send("PATCH", `"other", ${tagOf(first)}`)
    expect([second.status, (await send("PATCH", tagOf(first))).status]).toEqual([200, 412])
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send("PATCH", tagOf(second))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412])
  })

  test("is deleted only under its tag", async () => {
    const { canDelete = true, read, send } = await setUp()
    if (!canDelete) return
    const before = await read()
    expect((await send("PATCH")).status).toBe(200)
    expect((await send("DELETE", before)).status).toBe(412)
    expect((await send("DELETE", await read())).status).toBe(204)
    expect((await send("DELETE", "*")).status).toBe(404)
    expect((await send("PATCH", "*")).status).toBe(404)
  })
})

test("a change without permission is 403 before its tag is checked", async () => {
  const { world } = tenant
  const key = await world.keyWith("scheduling:read")
  const path = `/v1/${management}/appointment-types/${world.type_uid}`
  expect((await server.current.api("PATCH", path, { key, body: {}, headers: { "if-match": '"x"' } })).status).toBe(403)
})

test("the tag of a list without the record is refused, however current it is", async () => {
  const { key, api, shop_uid } = tenant.world
  const patients = "/v1/management/patients"
  const make = (email: string) => api("POST", patients, { shop_uid, profile: { email } })
  const { uid } = (await make("mine@example.org")).body
  expect((await make("other@example.org")).status).toBe(201)
  const change = async (email: string) => {
    const headers = { "if-match": tagOf(await api("GET", `${patients}?email=${email}`)) }
    const body = { profile: { city: "Berlin" } }
    return (await server.current.api("PATCH", `${patients}/${uid}`, { key, headers, body })).status
  }
  const statuses = [
    await change("other@example.org"),
    await change("none@example.org"),
    await change("mine@example.org")
  ]
  expect(statuses).toEqual([412, 412, 200])
})
