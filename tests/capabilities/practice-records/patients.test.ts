/** Patients by the management interface. Rules 12.1.4 to 12.1.10. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { PatientQuery } from "../../../src/schemas/access/Patient.ts"
import type { EventType } from "../../../src/schemas/events/catalogue.ts"
import { EventFeedQuery } from "../../../src/schemas/events/EventFeed.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { EventLog } from "../../../src/services/events/EventLog.ts"
import { PatientsRepo } from "../../../src/services/patients/PatientsRepo.ts"
import { onlyOwner, withOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { isSkippedFor } from "../../support/citus.ts"
import { genericPlan, withManyRows } from "../../support/genericPlan.ts"
import { testServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const path = "/v1/management/patients"

const scene = async () => {
  const world = await makeWorld(server.current)
  const { key, shop_uid } = world
  const call = (method: string, at = "", body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    server.current.api(method, path + at, { key, body, headers })
  const create = (body: object = {}) => call("POST", "", { shop_uid, ...body })
  const events = async () =>
    (await server.current.api("GET", "/v1/management/events?type=patient.created&limit=500", { key })).body.data
  return { ...world, call, create, events }
}

test("a patient is created, read, listed and changed field by field", async () => {
  const { call, create, shop_uid } = await scene()
  const profile = { first_name: " Ada ", email: "Ada@Example.org", insurance: { number: 7 } }
  const made = await create({ shop_customer_id: "c-1", profile })
  expect(made.status).toBe(201)
  const record = { shop_uid, shop_customer_id: "c-1", profile: { ...profile, first_name: "Ada" } }
  expect(made.body).toEqual({
    ...record,
    uid: expect.stringMatching(/^pat_/),
    restricted_at: null,
    created_at: expect.any(Number),
    updated_at: expect.any(Number)
  })
  const at = `/${made.body.uid}`
  expect(await call("GET", at)).toMatchObject({ status: 200, body: made.body })
  const changed = await call("PATCH", at, { profile: { first_name: null, last_name: "Byron" } })
  expect(changed).toMatchObject({ status: 200, body: { shop_customer_id: "c-1" } })
  expect(changed.body.profile).toEqual({ last_name: "Byron", email: "Ada@Example.org", insurance: { number: 7 } })
  expect((await call("GET", at)).body).toEqual(changed.body)
})

test("filters find by customer id, mail address, part of a name, and time of change", async () => {
  const { call, create } = await scene()
  const uids: Array<string> = []
  for (const name of ["Ada", "Grace", "50%"]) {
    const profile = { first_name: name, email: `${name}@x.org` }
    uids.push((await create({ shop_customer_id: name, profile })).body.uid)
  }
  await create()
  const found = async (query: string) =>
    (await call("GET", `?${query}`)).body.data.map(({ uid }: { uid: string }) => uid)
  expect(await found("shop_customer_id=Ada")).toEqual([uids[0]])
  expect(await found("shop_customer_id=ada")).toEqual([])
  expect(await found("email=GRACE@x.org")).toEqual([uids[1]])
  expect(await found("search=race")).toEqual([uids[1]])
  expect(await found("search=%25")).toEqual([uids[2]])
  expect(await found("search=none")).toEqual([])
  expect(await found(`updated_after=${inDays(1)}`)).toEqual([])
  const page = await call("GET", "?limit=3&page=1")
  expect(page.body).toMatchObject({ totalRegistries: 4, totalPages: 2 })
  expect(page.body.data).toHaveLength(1)
})

test("people are found as callers say them; Rule 12.1.8", async () => {
  const { call, create } = await scene()
  const people = {
    mueller: { first_name: "Ahmet", last_name: "Müller", date_of_birth: "1980-03-05", phone: "+49 171 1234567" },
    yilmaz: { first_name: "Ayşe", last_name: "Yılmaz", date_of_birth: "2015-11-23", phone: "030 / 987 65 43" },
    strauss: { first_name: "Zoë", last_name: "Strauß", date_of_birth: "1955-12-31", email: "zoe.s@example.org" },
    nguyen: { first_name: "Bảo", last_name: "Nguyễn", date_of_birth: "1991-01-02" },
    schmidt: { first_name: "Jürgen", last_name: "Schmidt", date_of_birth: "1962-07-08" },
    maier: { first_name: "Eva", last_name: "Maier", date_of_birth: "1962-07-09" },
    sokolova: { first_name: "Юлия", last_name: "Соколова", date_of_birth: "1985-03-14" },
    rahman: { first_name: "عبد الرحمن", last_name: "حسين", date_of_birth: "1970-06-02" }
  }
  const names = new Map<string, string>()
  for (const [name, profile] of Object.entries(people)) names.set((await create({ profile })).body.uid, name)
  const found = async (search: string) =>
    (await call("GET", `?${new URLSearchParams({ search })}`)).body.data.map(({ uid }: { uid: string }) =>
      names.get(uid)
    )
  const spellings = {
    mueller:
      "Müller|mueller|MULLER|Müller, Ahmet|ahmet mueller|Mü Ah|Mulller|Ahmed Müller|0171 1234567|0049 171-1234567|+491711234567|1234567",
    yilmaz: "Yilmaz|YILMAZ ayse|Yılmaz|Yilmas|030 9876543|(030) 987-6543|23.11.2015|23.11.15|23112015",
    strauss: "Strauß|strauss zoe|Straus|zoe.s@example.org|31/12/1955|31. Dezember 1955|31 dec 55",
    nguyen: "Nguyen|nguyen bao|Nguyễn|Ngyen|Ngyuen|2.1.1991|1991-01-02|2. Januar 1991",
    schmidt: "Schmitd|Shcmidt|Schmid|juergen schmidt|Jurgen|8.7.62|Schmidt 8.7.1962",
    maier: "Meier|Maier Eva|eva meier|9.7.62|090762",
    sokolova: "Sokolova|yuliya sokolova|Соколова|Yulia Sokolova|140385",
    rahman: "Abdul Rahman|abdulrahman|حسين|Rahman 2.6.70"
  }
  for (const [name, said] of Object.entries(spellings))
    for (const search of said.split("|")) expect([search, await found(search)]).toEqual([search, [name]])
  // what fits exactly is not mixed with what only resembles, and numbers and dates are not guessed
  for (const search of ["Schulze", "8.7.63", "0171 7654321", "Schmidt 9.7.1962", "%"])
    expect([search, await found(search)]).toEqual([search, []])
})

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("a search decompresses no profile, which would take seconds for thousands of large ones", async () => {
  const { create, organisation_uid } = await scene()
  const words = Array.from({ length: 2_500 }, () => random("w"))
  expect((await create({ profile: { first_name: "Ada", words } })).status).toBe(201)
  const owner = OrganisationUid.make(organisation_uid)
  const unpacked = await server.current.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.gen(function* () {
        const repo = yield* PatientsRepo
        const scans = sql<{ readonly count: number }>`SELECT pg_stat_get_xact_numscans(i.indexrelid)::integer AS count
          FROM pg_class c JOIN pg_index i ON i.indrelid = c.reltoastrelid WHERE c.oid = 'patients'::regclass`
        const before = yield* scans
        yield* repo.list(owner, yield* Schema.decode(PatientQuery)({ search: "nobody" }))
        return (yield* scans).map(({ count }, i) => count - (before[i]?.count ?? 0))
      }).pipe(sql.withTransaction, withOwner({ organisation_uid: owner }), Effect.provide(PatientsRepo.Default))
    )
  )
  expect(unpacked).toEqual([0])
})

test("a shop has one patient with a customer id, and any number without one", async () => {
  const { call, create, token } = await scene()
  const [one, two] = [await create({ shop_customer_id: "same" }), await create({ shop_customer_id: "other" })]
  expect(await create({ shop_customer_id: "same" })).toMatchObject({
    status: 409,
    body: { code: "already_used", error: "shop_customer_id: is used already by another record" }
  })
  expect((await call("PATCH", `/${two.body.uid}`, { shop_customer_id: "same" })).status).toBe(409)
  expect([(await create()).body.shop_customer_id, (await create()).body.shop_customer_id]).toEqual([null, null])
  const opened = await server.current.api("POST", "/v1/scheduling/appointments/none/join", {
    token: await token("same", { patient_profile_fields: [{ field: "city", value: "Bonn", source: "shop" }] })
  })
  expect(opened.status).toBe(404)
  expect((await call("GET", `/${one.body.uid}`)).body.profile).toEqual({ city: "Bonn" })
})

test("every fault names its field, as in provisioning", async () => {
  const { call, create } = await scene()
  const bad = await create({ shop_customer_id: "", profile: { email: "none", date_of_birth: "2000-02-30" } })
  expect(bad.status).toBe(400)
  expect(bad.body.error.map((fault: string) => fault.split(":")[0]).toSorted()).toEqual([
    "profile.date_of_birth",
    "profile.email",
    "shop_customer_id"
  ])
  expect((await call("POST", "", {})).body.error).toEqual(["shop_uid: is required"])
  const full = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`field_${i}`, i]))
  const { uid } = (await create({ profile: full })).body
  expect((await call("PATCH", `/${uid}`, { profile: { one_more: 1 } })).body.error).toEqual([
    "profile: must have at most 64 fields"
  ])
})

test("numbers are measured with the hundreds of digits that the database would write", async () => {
  const { create, token, call, shop_uid } = await scene()
  const large = Array(300).fill(1e308)
  const refused = { status: 400, body: { error: ["profile: must be at most 64 KiB of JSON"] } }
  expect(await create({ profile: { large } })).toMatchObject(refused)
  expect((await create({ profile: { large: large.slice(0, 150), small: [0.5, -7, 1e15] } })).status).toBe(201)
  const booking = await server.current.api("POST", "/v1/scheduling/booking-sessions", {
    body: {},
    token: await token("numbers", { patient_profile_fields: [{ field: "large", value: large, source: "shop" }] })
  })
  expect(booking.status).toBe(400)
  expect((await call("GET", `?shop_uid=${shop_uid}&shop_customer_id=numbers`)).body.data).toEqual([])
})

test("each patient's creation is published once, whatever its source, without the profile", async () => {
  const { call, create, events, token, session, holdByKey } = await scene()
  const made = await create({ shop_customer_id: "by-interface", profile: { first_name: "Ada" } })
  await call("PATCH", `/${made.body.uid}`, { profile: { first_name: "Eve" } })
  await Promise.all([session("by-token"), session("by-token"), session("by-token")])
  await server.current.api("POST", "/v1/scheduling/appointments/none/join", { token: await token("by-token") })
  expect((await holdByKey({ shop_customer_id: "by-key", start_date: inDays(3) })).status).toBe(200)
  const seen = await events()
  type Seen = { readonly data: { patient: { shop_customer_id: string }; actor: { kind: string } } }
  expect(seen.map(({ data }: Seen) => [data.patient.shop_customer_id, data.actor.kind])).toEqual([
    ["by-interface", "api_key"],
    ["by-token", "patient"],
    ["by-key", "api_key"]
  ])
  const { profile: _, restricted_at: __, ...reference } = made.body
  expect(seen[0].data.patient).toEqual(reference)
})

const isCluster = isSkippedFor(
  "plans need the statistics of a large table, which only a superuser of a single node can set"
)

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("a page of some types reads these events only, however many others there are; Rule 6.5.5", async () => {
  const { create, organisation_uid } = await scene()
  for (let i = 0; i < 4; i++) await create()
  const owner = OrganisationUid.make(organisation_uid)
  /** The ids of a response's events, and its next cursor. */
  const feed = async (
    query: object,
    readable?: ReadonlyArray<EventType>
  ): Promise<ReadonlyArray<string | null | undefined>> => {
    const { data, next } = await server.current.run(
      Effect.flatMap(EventLog, (log) =>
        log.feed(owner, Schema.decodeUnknownSync(EventFeedQuery)(query), false, readable)
      ).pipe(onlyOwner({ organisation_uid: owner }))
    )
    return [...data.map(({ id }) => id), next]
  }
  const all = await feed({})
  const [first, second] = all
  expect(all).toHaveLength(5)
  expect(await feed({ type: "rebooked" })).toEqual([null])
  expect(await feed({ type: "patient.created", after: first, limit: "1" })).toEqual([second, second])
  expect(await feed({}, ["rebooked", "patient.created"])).toEqual(all)
  expect(await feed({ type: "patient.created" }, ["rebooked"])).toEqual([null])
  if (isCluster) return
  const planOf = async (readable?: ReadonlyArray<EventType>) => {
    const { statements } = await recording(() => feed({}, readable), server.current.databaseUrl)
    const [page] = statements.filter(({ text }) => text.includes("octet_length(data_encrypted)"))
    if (page === undefined) throw new Error("no page was read")
    return withManyRows(server.current.databaseUrl, ["events"], (client) => genericPlan(client, page))
  }
  const ofTypes = await planOf(["rebooked", "patient.created"])
  expect(ofTypes).toMatch(/using events_feed_by_type on .*\n *Index Cond: .*type = .*feed_position >/)
  const ofAll = await planOf()
  expect(ofAll).toMatch(/using events_feed on .*\n *Index Cond: .*feed_position >/)
  expect(ofTypes + ofAll).not.toContain("Seq Scan")
})

// Rule 12.1.23
test("a key that may write but not read gets only what it has sent", async () => {
  const mine = await scene()
  const { uid } = (
    await mine.create({ shop_customer_id: "c", profile: { first_name: "Ada", email: "ada@example.org" } })
  ).body
  const writer = await mine.keyWith("patients:write")
  const request = (method: string, at: string, body: unknown, headers = {}) =>
    server.current.api(method, `${path}${at}`, { key: writer, body, headers })
  const patch = (profile: object, headers = {}) => request("PATCH", `/${uid}`, { profile }, headers)
  const changed = await patch({ city: "Bonn" })
  expect(changed).toMatchObject({ status: 200, body: { uid } })
  expect([changed.body.profile, changed.headers.get("etag")]).toEqual([{ city: "Bonn" }, null])
  expect((await request("PATCH", `/${uid}`, {})).body.profile).toEqual({})
  // A tag is a hash of the whole record, so a guess of hidden fields could be verified with it
  const tag = (await mine.call("GET", `/${uid}`)).headers.get("etag") ?? ""
  const ifMatches = async (wanted: string) => (await patch({ city: "Bonn" }, { "if-match": wanted })).status
  expect([await ifMatches(tag), await ifMatches("*")]).toEqual([412, 200])
  expect((await patch({ email: null })).body.profile).toEqual({})
  const made = { shop_uid: mine.shop_uid, profile: { first_name: "Eve" } }
  const once = { "idempotency-key": "one" }
  const first = await request("POST", "", made, once)
  await mine.call("PATCH", `/${first.body.uid}`, { profile: { last_name: "Secret" } })
  const again = await request("POST", "", made, once)
  expect([again.status, again.body.profile]).toEqual([201, { first_name: "Eve" }])
  expect(again.headers.get("idempotency-replayed")).toBe("true")
  expect((await mine.call("GET", `/${uid}`)).body.profile).toEqual({ first_name: "Ada", city: "Bonn" })
})

test.skipIf(isCluster)(
  "a change of name finds prescriptions and orders by name with indexes; Rule 12.2.12",
  async () => {
    const { call, create } = await scene()
    const profile = { first_name: "Mia", last_name: "Sommer", date_of_birth: "1980-01-01" }
    const { uid } = (await create({ profile })).body
    const change = () => call("PATCH", `/${uid}`, { profile: { last_name: "Winter" } })
    const { result, statements } = await recording(change, server.current.databaseUrl)
    expect(result.status).toBe(200)
    const sent = statements.filter(({ text }) => text.includes("patient_name"))
    expect(sent.length).toBe(3)
    await withManyRows(server.current.databaseUrl, ["prescriptions", "pharmacy_orders"], async (client) => {
      // the triggers of these two rows are left out
      await client.query("SET LOCAL session_replication_role = replica")
      await client.query(`INSERT INTO prescriptions (organisation_uid, uid, status, created_at, updated_at)
      VALUES ('none', 'none', 'CANCELLED', now(), now())`)
      await client.query(`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid,
        shipping_price, currency, takes_stock, created_at, updated_at)
      VALUES ('none', 'none', '#1', 'cancelled', false, 'none', 'none', 0, 'EUR', false, now(), now())`)
      for (const statement of sent) expect(await genericPlan(client, statement)).toMatch(/Index Cond: .*patient_name =/)
    })
  }
)
