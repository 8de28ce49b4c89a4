import { describe, expect, test } from "bun:test"
import { type Answer, type Ask, ownServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

// Requests come through a proxy on this machine, so that each test has separate addresses
const server = ownServer({
  ROLE: "http",
  RATE_LIMIT_PER_SECOND: "4",
  RATE_LIMIT_KEY_PER_SECOND: "8",
  TRUSTED_PROXIES: "127.0.0.1/32, ::1"
})
const hex = () => Math.floor(Math.random() * 65_536).toString(16)
const someAddress = () => `2001:db8:${hex()}:${hex()}::1`

const sendRequest = (address: string, method: string, path: string, { headers, ...rest }: Ask = {}) =>
  server.current.api(method, path, { ...rest, headers: { "x-forwarded-for": address, ...headers } })

const together = (count: number, request: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, request))

/** Doubles the concurrency until one is refused, so that a slow machine, whose buckets refill, reaches the limit too. */
const floodUntilRefused = async (request: () => Promise<Answer>): Promise<ReadonlyArray<Answer>> => {
  for (let count = 10, all: ReadonlyArray<Answer> = []; ; count *= 2) {
    all = [...all, ...(await together(count, request))]
    if (count > 1_000 || all.some(({ status }) => status === 429)) return all
  }
}

/** Floods until some are refused; all of them have the headers. */
const expectLimited = async (request: () => Promise<Answer>, atLeast = 0) => {
  const answers = await floodUntilRefused(request)
  const refused = answers.filter(({ status }) => status === 429)
  for (const { headers, body } of refused) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    expect(headers.get("ratelimit-remaining")).toBe("0")
    if (headers.get("content-type")?.startsWith("application/json")) expect(body.code).toBe("too_many_requests")
  }
  for (const { headers } of answers)
    for (const name of ["limit", "reset"]) expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/)
  expect(refused).not.toBeEmpty()
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(atLeast)
  return answers
}

const TYPES = "/v1/scheduling/appointment-types?shop_uid=none"
const SESSIONS = "/v1/scheduling/booking-sessions"
const SEARCH = "/v1/scheduling/slots/search"
const DOCTORS = "/v1/management/scheduling/doctors"
const inventedKey = () => ({ key: random("made_up_key_of_32_characters") })
/** The body that opens a session, but for its mode. */
const rangeOf = ({ type_uid }: World) => ({ appointment_type_uid: type_uid, from: inDays(1), to: inDays(2) })
const sessionOf = (world: World) => ({ mode: "booking", ...rangeOf(world) })

describe("the patient interface", () => {
  test("refuses requests of an address beyond its limit, and none of another address", async () => {
    const address = someAddress()
    await expectLimited(() => sendRequest(address, "GET", TYPES), 4)
    const other = await sendRequest(someAddress(), "GET", TYPES)
    expect([other.status, other.headers.get("ratelimit-remaining")]).toEqual([404, "3"])
  })

  // Shows: guessing and flooding
  // Shows: a made-up credential for each request
  test("a new invented credential or code per request opens no bucket", async () => {
    for (const header of ["x-api-key", "x-service-booking-token", "authorization"]) {
      const address = someAddress()
      await expectLimited(() => sendRequest(address, "GET", TYPES, { headers: { [header]: random("made_up") } }))
    }
    const address = someAddress()
    await expectLimited(() => sendRequest(address, "GET", `/v1/scheduling/appointment-actions/${random("aac")}`))
  })

  // Shows: guessing and flooding
  test("an IPv6 subscriber's whole network counts as one address", async () => {
    const network = `2001:db8:${hex()}:${hex()}`
    await expectLimited(() => sendRequest(`${network}:${hex()}::${hex()}`, "GET", TYPES))
  })

  test("a verified credential has one bucket, from whichever address it comes", async () => {
    const world = await makeWorld(server.current)
    const ask = { token: await world.token(), body: sessionOf(world) }
    await expectLimited(() => sendRequest(someAddress(), "POST", SESSIONS, ask), 4)
    const other = { ...ask, token: await world.token("customer-2") }
    expect((await sendRequest(someAddress(), "POST", SESSIONS, other)).status).toBe(200)
  })
})

describe("what a request costs", () => {
  test("a large search costs as much as any request, and delays no confirmation behind its address", async () => {
    const world = await makeWorld(server.current, { doctors: 20, type: { duration_minutes: 5 } })
    const body = { shop_uid: world.shop_uid, ...rangeOf(world), to: inDays(32) }
    const address = someAddress()
    const first = await sendRequest(address, "POST", SEARCH, { body })
    expect([first.status, first.headers.get("ratelimit-remaining")]).toEqual([200, "3"])
    const path = `${SESSIONS}/${await world.session()}/holds`
    const [slot] = first.body.slots
    const hold = { doctor_uid: slot.doctor_uid, start_date: slot.start_date, appointment_type_uid: world.type_uid }
    const held = await sendRequest(address, "POST", path, { body: hold })
    expect(held.status).toBe(200)
    await floodUntilRefused(() => sendRequest(address, "GET", TYPES))
    const confirmed = await sendRequest(address, "POST", `${path}/${held.body.hold_uid}/confirm`, { body: {} })
    expect(confirmed.status).toBe(200)
  })

  test("a search with an API key or a booking token counts by it, apart from all else that it does", async () => {
    const world = await makeWorld(server.current)
    const address = someAddress()
    await floodUntilRefused(() => sendRequest(address, "GET", TYPES))
    const body = { shop_uid: world.shop_uid, ...rangeOf(world) }
    const search = (ask: Ask) => sendRequest(address, "POST", SEARCH, { body, ...ask })
    const token = await world.token()
    const ofToken = await search({ token })
    expect([ofToken.status, ofToken.headers.get("ratelimit-remaining")]).toEqual([200, "3"])
    const ofKey = await search({ key: world.key })
    expect([ofKey.status, ofKey.headers.get("ratelimit-limit")]).toEqual([200, "8"])
    await floodUntilRefused(() => search({ token }))
    const opened = await sendRequest(address, "POST", SESSIONS, { token, body: sessionOf(world) })
    expect(opened.status).toBe(200)
    // also with the token in the body
    const ofBody = { ...sessionOf(world), booking_token: token }
    expect((await sendRequest(address, "POST", SESSIONS, { body: ofBody })).status).toBe(200)
  })

  test("an API key has the limit of keys on the patient interface too", async () => {
    const world = await makeWorld(server.current)
    const path = `/v1/scheduling/appointments/${random("apt")}/cancel`
    const { status, headers } = await sendRequest(someAddress(), "POST", path, { key: world.key, body: {} })
    expect([status, headers.get("ratelimit-limit")]).toEqual([404, "8"])
  })

  test("a launch code has its own allowance, by interface and on its page", async () => {
    const world = await makeWorld(server.current)
    const code = await world.session()
    const address = someAddress()
    await floodUntilRefused(() => sendRequest(address, "GET", TYPES))
    await floodUntilRefused(() => sendRequest(address, "GET", "/meet/book/none"))
    const page = await sendRequest(address, "GET", `/meet/booking/${code}`)
    expect([page.status, page.headers.get("ratelimit-remaining")]).toEqual([200, "3"])
    await expectLimited(() => sendRequest(someAddress(), "GET", `${SESSIONS}/${code}`))
    expect((await sendRequest(address, "GET", `/meet/booking/${await world.session("customer-2")}`)).status).toBe(200)
  })
})

describe("refused credentials", () => {
  const made = (address: string) => [
    () => sendRequest(address, "GET", "/v1/management/patients", inventedKey()),
    () => sendRequest(address, "POST", SESSIONS, { token: random("made_up"), body: {} }),
    () => sendRequest(address, "GET", `${SESSIONS}/${random("blc")}`)
  ]

  // Shows: guessing and flooding
  // Shows: a made-up credential for each request
  test("wait for a second at most, and delay no valid credential behind their address", async () => {
    const world = await makeWorld(server.current)
    const address = someAddress()
    for (const refuse of made(address)) {
      const answers = await floodUntilRefused(refuse)
      for (const { status, headers } of answers) if (status === 429) expect(headers.get("retry-after")).toBe("1")
      const ofKey = await sendRequest(address, "GET", DOCTORS, { key: world.key })
      const ask = { token: await world.token(random("customer")), body: sessionOf(world) }
      const opened = await sendRequest(address, "POST", SESSIONS, ask)
      const read = await sendRequest(address, "GET", `${SESSIONS}/${opened.body.booking_launch_code}`)
      expect([ofKey.status, opened.status, read.status]).toEqual([200, 200, 200])
    }
  })

  test("requests without a credential do not wait for them", async () => {
    const address = someAddress()
    for (const refuse of made(address)) await floodUntilRefused(refuse)
    expect((await sendRequest(address, "GET", TYPES)).status).toBe(404)
  })

  test("an unknown console cookie is one, a missing one is not", async () => {
    const address = someAddress()
    const visit = (headers: Readonly<Record<string, string>>) => sendRequest(address, "GET", "/console", { headers })
    const unknown = await floodUntilRefused(() => visit({ cookie: "sprechstunde-console=made-up" }))
    expect(unknown.some(({ status }) => status === 429)).toBe(true)
    const missing = await together(8, () => visit({}))
    expect(missing.every(({ status }) => status !== 429)).toBe(true)
  })
})

describe("the other interfaces", () => {
  // Shows: a made-up credential for each request
  test("give each API key its own bucket", async () => {
    const [one, other] = [await makeWorld(server.current), await makeWorld(server.current)]
    const address = someAddress()
    await expectLimited(() => sendRequest(address, "GET", DOCTORS, { key: one.key }), 8)
    const { status, headers } = await sendRequest(address, "GET", DOCTORS, { key: other.key })
    expect([status, headers.get("ratelimit-limit")]).toEqual([200, "8"])
  })

  test("limit each member of staff, an address that sends refused credentials, and unsigned storefront webhooks", async () => {
    const world = await makeWorld(server.current)
    const bearer = await adminOf(server.current, world)
    await expectLimited(() => sendRequest(someAddress(), "GET", "/v1/admin/api-keys", { bearer }))
    const [one, other] = [someAddress(), someAddress()]
    const answers = await expectLimited(() => sendRequest(one, "GET", DOCTORS, inventedKey()))
    expect(answers.map(({ status }) => status)).toContain(401)
    const webhooks = `/v1/storefront/${world.shop_identifier}/webhooks`
    await expectLimited(() => sendRequest(other, "POST", webhooks, { body: {} }))
  })
})

describe("pages", () => {
  const pages = [
    "/meet/book/none",
    "/meet/booking/blc_none",
    "/meet/appointment/aac_none",
    "/meet/meeting/room?jwt=none"
  ]
  // Shows: a flood over a meeting's socket
  // Shows: floods over a meeting's socket, and relays for strangers
  test.each([...pages, "/meet/meeting/room/socket", "/storefront/checkout/none"])("%s is limited", async (path) => {
    const address = someAddress()
    const answers = await expectLimited(() => sendRequest(address, "GET", path), 4)
    if (pages.includes(path))
      for (const { status, headers, body } of answers) {
        if (status !== 429) continue
        expect(headers.get("content-type")).toStartWith("text/html")
        expect(body).toContain("Einen Augenblick bitte")
        expect(body).toContain(`href="${path}"`) // to try again
        // in a widget's frame it is shown, and reported; Rule 5.6.4
        expect(body).toContain('data-stage="error"')
        expect(body).toContain("&quot;reason&quot;:&quot;busy&quot;")
      }
  })

  test("and their forms", async () => {
    const path = "/meet/booking/blc_none/hold"
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const address = someAddress()
    // a redirect to the form's page, which says so: neither Back nor a reload sends the form again
    const post = () => sendRequest(address, "POST", path, { headers, body: "start=1" })
    const located = await Promise.all(Array.from({ length: 16 }, async () => (await post()).headers.get("location")))
    expect(located).toContain("/meet/booking/blc_none?notice=busy")
  })

  test("a picture, which is read from the database once, is limited like other routes", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const name = `${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}.png`
    const bytes = new Uint8Array([137, 80, 78, 71])
    await server.current.sql`INSERT INTO images (organisation_uid, name, content_type, bytes)
      VALUES (${organisation_uid}, ${name}, 'image/png', ${bytes})`
    const picture = () => sendRequest(someAddress(), "GET", `/meet/images/${name}`)
    const first = await picture()
    expect([first.status, first.headers.get("ratelimit-limit")]).toEqual([200, "40"])
    await server.current.sql`DELETE FROM images WHERE name = ${name}`
    expect((await picture()).status).toBe(200)
  })

  test("health checks and the pages' own files are not limited", async () => {
    const address = someAddress()
    for (const path of ["/healthz", "/meet/booking-widget.js"])
      for (const { status, headers } of await together(16, () => sendRequest(address, "GET", path)))
        expect([status, headers.get("ratelimit-limit")]).toEqual([200, null])
  })
})

describe("when the pages have their own host", () => {
  const ofPages = ownServer({ ROLE: "http", RATE_LIMIT_KEY_PER_SECOND: "20", MEETINGS_URL: "http://meet.example.org" })

  test("only their own files are exempt from limits", async () => {
    expect((await ofPages.current.api("GET", "/booking-widget.js")).headers.get("ratelimit-limit")).toBeNull()
    for (const path of [
      "/v1/management/patients",
      "/v1/doctor/appointments",
      "/openapi.json",
      "/images/none.png",
      "/none"
    ])
      expect((await ofPages.current.api("GET", path)).headers.get("ratelimit-limit")).not.toBeNull()
  })
})
