import { describe, expect, test } from "bun:test"
import { present } from "../support/body.ts"
import { someOf } from "../support/scale.ts"
import { type Answer, type Ask, testServer } from "../support/server.ts"
import { adminOf, doctorOf } from "../support/staff.ts"
import { CONSULTATION, DAY, inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()

interface Resource {
  readonly credential: Ask
  /** The list that contains the record, with its query. */
  readonly list: string
  readonly record: string
  readonly change: (turn: number) => object
  /** The ETag of the response that created the record, if the API created it. */
  readonly made?: Answer
  readonly canDelete?: boolean
}

const management = "/v1/management/scheduling"

const made = async (path: string, credential: Ask, body: object) => {
  const answer = await server.current.api("POST", path, { ...credential, body })
  expect(answer.status).toBe(201)
  return answer
}

const aType = {
  name: "Type",
  ...CONSULTATION
}
const aReminder = { recipient_role: "patient", minutes_before: 60 }
const aRule = { weekday: 1, start_time: 540, end_time: 720 }

const resource = async (
  list: string,
  credential: Ask,
  body: object,
  change: Resource["change"],
  query = ""
): Promise<Resource> => {
  const answer = await made(list, credential, body)
  return {
    credential,
    list: list + query,
    record: `${list.replace(/\/$/, "")}/${answer.body.uid}`,
    change,
    made: answer
  }
}

const pharmacySku = async (world: World): Promise<Resource> => {
  const [pharmacy, product, sku, uid, key] = [
    random("pha"),
    random("prd"),
    random("sku"),
    random("psk"),
    random("spr_a_key_of_a_pharmacy_here")
  ]
  await world.provision({
    pharmacies: [{ uid: pharmacy, name: "Pharmacy" }],
    products: [{ uid: product, display_name: "Product", handle: product }],
    skus: [
      { uid: sku, product_uid: product, display_name: "SKU", standard_selling_unit: 1, unit: "g", selling_price: 100 }
    ],
    pharmacy_skus: [{ uid, pharmacy_uid: pharmacy, sku_uid: sku, external_id: "x", price: 100, stock: 1 }],
    api_keys: [{ key, name: "k", permissions: ["stock_read", "stock_write"], pharmacy_uid: pharmacy }]
  })
  const list = "/v1/external_pharmacy_api/pharmacy_skus/"
  return {
    credential: { key },
    list: `${list}?limit=10`,
    record: `${list}${uid}`,
    change: (turn) => ({ stock: 10 + turn }),
    canDelete: false
  }
}

const pharmacyWebhook = async (world: World) => {
  const [pharmacy, key] = [random("pha"), random("spr_a_key_of_a_pharmacy_here")]
  await world.provision({
    pharmacies: [{ uid: pharmacy, name: "Pharmacy" }],
    api_keys: [{ key, name: "k", permissions: ["webhooks_read", "webhooks_write"], pharmacy_uid: pharmacy }]
  })
  const body = { url: "http://127.0.0.1:9/", event_types: ["pharmacy_sku.updated"] }
  return resource("/v1/external_pharmacy_api/webhooks/", { key }, body, (turn) => ({
    url: `http://127.0.0.1:9/${turn}`
  }))
}

const resources: Readonly<Record<string, (world: World) => Promise<Resource>>> = {
  "an appointment type": ({ key }) =>
    resource(`${management}/appointment-types`, { key }, aType, (turn) => ({ name: `Type ${turn}` })),
  "a reminder": ({ key, type_uid }) =>
    resource(`${management}/appointment-types/${type_uid}/reminders`, { key }, aReminder, (turn) => ({
      minutes_before: 60 + turn
    })),
  "an availability rule": ({ key, doctor }) =>
    resource(`${management}/doctors/${doctor}/availability-rules`, { key }, aRule, (turn) => ({
      end_time: 720 + turn
    })),
  "a date override": ({ key, doctor }) =>
    resource(
      `${management}/doctors/${doctor}/availability-date-overrides`,
      { key },
      { date: inDays(40), start_time: 540, end_time: 600 },
      (turn) => ({ end_time: 600 + turn }),
      `?from=${inDays(30)}&to=${inDays(50)}&limit=20`
    ),
  "a resource": ({ key }) =>
    resource(`${management}/resources`, { key }, { kind: "room", name: "Room" }, (turn) => ({ name: `Room ${turn}` })),
  "a resource's rule": async ({ key }) => {
    const { uid } = (await made(`${management}/resources`, { key }, { kind: "room", name: "Room" })).body
    return resource(`${management}/resources/${uid}/availability-rules`, { key }, aRule, (turn) => ({
      end_time: 720 + turn
    }))
  },
  "a resource's override": async ({ key }) => {
    const { uid } = (await made(`${management}/resources`, { key }, { kind: "room", name: "Room" })).body
    return resource(
      `${management}/resources/${uid}/availability-date-overrides`,
      { key },
      { date: inDays(40), start_time: 540, end_time: 600 },
      (turn) => ({ end_time: 600 + turn }),
      `?from=${inDays(30)}&to=${inDays(50)}&limit=20`
    )
  },
  "a doctor's own rule": async (world) =>
    resource("/v1/doctor/availability-rules", { bearer: await doctorOf(server.current, world) }, aRule, (turn) => ({
      end_time: 720 + turn
    })),
  "an administrator's reminder": async (world) =>
    resource(
      `/v1/admin/scheduling/appointment-types/${world.type_uid}/reminders`,
      { bearer: await adminOf(server.current, world) },
      aReminder,
      (turn) => ({ minutes_before: 60 + turn })
    ),
  "a doctor": ({ key }) =>
    resource("/v1/management/doctors", { key }, { display_name: "Dr. A" }, (turn) => ({ display_name: `Dr. ${turn}` })),
  "a shop": async ({ key }) => ({
    ...(await resource("/v1/management/shops", { key }, { shop_identifier: random("shop") }, (turn) => ({
      name: `Shop ${turn}`
    }))),
    canDelete: false
  }),
  "a FHIR client": async (world) => {
    const [list, client_id] = ["/v1/admin/fhir-clients", random("client")]
    const credential = { bearer: await adminOf(server.current, world) }
    const keys = { jwks_uri: "https://portal.example.org/jwks.json", scopes: ["system/Slot.rs"] }
    const answer = await made(list, credential, { client_id, name: "Portal", ...keys })
    return { credential, list, record: `${list}/${client_id}`, made: answer, change: (turn) => ({ name: `P ${turn}` }) }
  },
  "a patient": async ({ key, shop_uid }) => ({
    ...(await resource("/v1/management/patients", { key }, { shop_uid }, (turn) => ({ profile: { city: `${turn}` } }))),
    canDelete: false
  }),
  "a notification subscription": ({ key }) =>
    resource(
      "/v1/management/notification-subscriptions/",
      { key },
      { notification_type: "REBOOKED", url: "http://127.0.0.1:9/" },
      (turn) => ({ url: `http://127.0.0.1:9/${turn}` })
    ),
  "a pharmacy's webhook": pharmacyWebhook,
  "a pharmacy's SKU": pharmacySku
}

const tagOf = ({ headers }: Answer) => {
  const tag = headers.get("etag") ?? ""
  expect(tag).toMatch(/^"[\w.-]+"$/)
  return tag
}

for (const [what, make] of someOf(Object.entries(resources), 2))
  describe(what, () => {
    const setUp = async () => {
      const one = await make(await makeWorld(server.current))
      const read = async () => tagOf(await server.current.api("GET", one.list, one.credential))
      const send = (method: string, tag: string | undefined, body?: object) =>
        server.current.api(method, one.record, {
          ...one.credential,
          ...(body !== undefined && { body }),
          ...(tag !== undefined && { headers: { "if-match": tag } })
        })
      return { ...one, read, send }
    }

    test("is changed under the tag of the list, but not under an older one", async () => {
      const { read, send, change } = await setUp()
      const before = await read()
      expect(await read()).toBe(before)
      expect((await send("PATCH", before, change(1))).status).toBe(200)
      const after = await read()
      expect(after).not.toBe(before)
      expect(await send("PATCH", before, change(2))).toMatchObject({
        status: 412,
        body: { code: "precondition_failed" }
      })
      expect(await read()).toBe(after)
      expect((await send("PATCH", undefined, change(3))).status).toBe(200)
    })

    test("is changed under its own tag", async () => {
      const { made: first, send, change } = await setUp()
      const changed = await send("PATCH", first === undefined ? "*" : tagOf(first), change(1))
      expect(changed.status).toBe(200)
      expect((await send("PATCH", `"other", ${tagOf(changed)}`, change(2))).status).toBe(200)
      expect((await send("PATCH", tagOf(changed), change(3))).status).toBe(412)
    })

    test("is not changed under weak, foreign or malformed tags", async () => {
      const { read, send, change } = await setUp()
      const tag = await read()
      const foreign = `"${"x".repeat(22)}.${Buffer.from('{"limit":"1000000"}').toString("base64url")}"`
      for (const header of [
        `W/${tag}`,
        '""',
        "x",
        foreign,
        `"${"x".repeat(22)}.e30"`,
        `"${"x".repeat(22)}.!"`,
        tag.slice(1, -1)
      ])
        expect((await send("PATCH", header, change(1))).status, header).toBe(412)
      expect(await read()).toBe(tag)
    })

    test("is listed as changed since an earlier time, but not since a later one (Rule 2.5.6)", async () => {
      const { list, record, credential, send, change } = await setUp()
      const changed = await send("PATCH", undefined, change(1))
      const { updated_at } = changed.body
      expect(updated_at).toEqual(expect.any(Number))
      const since = async (moment: number) => {
        const path = `${list}${list.includes("?") ? "&" : "?"}updated_after=${moment}`
        const { status, body } = await server.current.api("GET", path, credential)
        expect(status).toBe(200)
        return body.data.filter(({ uid, client_id = uid }: { uid: string; client_id?: string }) =>
          record.endsWith(client_id)
        )
      }
      expect(await since(updated_at - 1)).toEqual([changed.body])
      expect(await since(updated_at)).toEqual([])
    })

    test("accepts one of several changes under one tag", async () => {
      const { read, send, change } = await setUp()
      const tag = await read()
      const answers = await Promise.all([1, 2, 3, 4, 5].map((turn) => send("PATCH", tag, change(turn))))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412])
    })

    test("is deleted only under its tag", async () => {
      const { canDelete = true, read, send, change } = await setUp()
      if (!canDelete) return
      const before = await read()
      expect((await send("PATCH", undefined, change(1))).status).toBe(200)
      expect((await send("DELETE", before)).status).toBe(412)
      expect((await send("DELETE", await read())).status).toBe(204)
      expect((await send("DELETE", "*")).status).toBe(404)
      expect((await send("PATCH", "*", change(2))).status).toBe(404)
    })
  })

test("a list of other dates has another tag, which is valid for its records", async () => {
  const { key, doctor } = await makeWorld(server.current)
  const list = `${management}/doctors/${doctor}/availability-date-overrides`
  const first = await made(list, { key }, { date: inDays(40), day_off: true })
  const tagFrom = async (from: number) =>
    tagOf(await server.current.api("GET", `${list}?from=${from}&to=${from + 5 * DAY}`, { key }))
  const [one, other] = [await tagFrom(inDays(38)), await tagFrom(inDays(60))]
  expect(one).not.toBe(other)
  await made(list, { key }, { date: inDays(61), day_off: true })
  const change = (tag: string) =>
    server.current.api("PATCH", `${list}/${first.body.uid}`, {
      key,
      body: { buffer_minutes: 5 },
      headers: { "if-match": tag }
    })
  expect((await change(other)).status).toBe(412)
  expect((await change(one)).status).toBe(200)
})

test("a doctor's own day off is deleted only under its tag", async () => {
  const bearer = await doctorOf(server.current, await makeWorld(server.current))
  const path = "/v1/doctor/availability-date-overrides"
  const first = await made(path, { bearer }, { date: inDays(40), day_off: true })
  const remove = (tag: string) =>
    server.current.api("DELETE", `${path}/${first.body.uid}`, { bearer, headers: { "if-match": tag } })
  expect(await remove('"other"')).toMatchObject({ status: 412, body: { code: "precondition_failed" } })
  expect((await remove(tagOf(first))).status).toBe(204)
})

test("the short list of doctors and a doctor's settings can be filtered by time of change", async () => {
  const { key, doctor, type_uid } = await makeWorld(server.current)
  const since = async (path: string, moment: number) =>
    (await server.current.api("GET", `${management}${path}?updated_after=${moment}`, { key })).body.data
  const doctors = await server.current.api("GET", `${management}/doctors`, { key })
  tagOf(doctors)
  const { updated_at } = present(doctors.body.data.find(({ uid }) => uid === doctor))
  expect(await since("/doctors", updated_at - 1)).toContainEqual(expect.objectContaining({ uid: doctor, updated_at }))
  const latest = Math.max(...doctors.body.data.map((one: { updated_at: number }) => one.updated_at))
  expect(await since("/doctors", latest)).toEqual([])
  const settings = `/doctors/${doctor}/appointment-type-settings`
  const put = await server.current.api("PUT", `${management}${settings}/${type_uid}`, { key, body: { active: true } })
  expect(await since(settings, put.body.updated_at - 1)).toEqual([put.body])
  expect(await since(settings, put.body.updated_at)).toEqual([])
})

test("a change without permission is 403 before its tag is checked", async () => {
  const world = await makeWorld(server.current)
  const key = await world.keyWith("scheduling:read")
  const path = `${management}/appointment-types/${world.type_uid}`
  expect((await server.current.api("PATCH", path, { key, body: {}, headers: { "if-match": '"x"' } })).status).toBe(403)
})

test("the tag of a list without the record is refused, however current it is", async () => {
  const world = await makeWorld(server.current)
  const { key, shop_uid } = world
  const patients = "/v1/management/patients"
  const [mine, other] = [
    await made(patients, { key }, { shop_uid, profile: { email: "mine@example.org" } }),
    await made(patients, { key }, { shop_uid, profile: { email: "other@example.org" } })
  ]
  const change = (tag: string) =>
    server.current.api("PATCH", `${patients}/${mine.body.uid}`, {
      key,
      headers: { "if-match": tag },
      body: { profile: { city: "Berlin" } }
    })
  for (const email of ["other@example.org", "none@example.org"]) {
    const list = await server.current.api("GET", `${patients}?email=${email}`, { key })
    expect((await change(tagOf(list))).status).toBe(412)
  }
  expect(other.status).toBe(201)
  const own = await server.current.api("GET", `${patients}?email=mine@example.org`, { key })
  expect((await change(tagOf(own))).status).toBe(200)
})
