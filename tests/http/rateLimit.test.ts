import { describe, expect, test } from "bun:test"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Stream } from "effect"
import { Sessions } from "../../src/http/console/serving/session.ts"
import { Allowance, makeRateLimit, spend } from "../../src/http/server/RateLimit.ts"
import { Buckets, type Taking } from "../../src/services/operation/Buckets.ts"
import { type Answer, type Ask, type TestServer, testServer } from "../support/server.ts"
import { adminOf } from "../support/staff.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

// Requests come through a proxy on this machine, so that each test has separate addresses
const server = testServer({
  RATE_LIMIT_PER_SECOND: "10",
  RATE_LIMIT_KEY_PER_SECOND: "20",
  TRUSTED_PROXIES: "127.0.0.1/32, ::1"
})
const hex = () => Math.floor(Math.random() * 65_536).toString(16)
const someAddress = () => `2001:db8:${hex()}:${hex()}::1`

const sendRequest = (
  address: string,
  method: string,
  path: string,
  { headers, ...rest }: Ask = {},
  at: TestServer = server.current
) => at.api(method, path, { ...rest, headers: { "x-forwarded-for": address, ...headers } })

const together = (count: number, request: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, request))

/** Concurrent requests from one address. */
const flood = (count: number, address: string, method: string, path: string, options?: Ask) =>
  together(count, () => sendRequest(address, method, path, options))

/** Doubles the concurrency until one is refused, so that a slow machine, whose buckets refill, reaches the limit too. */
const floodUntilRefused = async (request: () => Promise<Answer>): Promise<ReadonlyArray<Answer>> => {
  for (let count = 40, all: ReadonlyArray<Answer> = []; ; count *= 2) {
    all = [...all, ...(await together(count, request))]
    if (count > 1_000 || all.some(({ status }) => status === 429)) return all
  }
}

const counts = (answers: ReadonlyArray<Answer>) => {
  const refused = answers.filter(({ status }) => status === 429)
  for (const { headers, body } of refused) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    expect(headers.get("ratelimit-remaining")).toBe("0")
    if (headers.get("content-type")?.startsWith("application/json")) expect(body.code).toBe("too_many_requests")
  }
  for (const { headers } of answers) {
    expect(headers.get("ratelimit-limit")).toMatch(/^\d+$/)
    expect(headers.get("ratelimit-reset")).toMatch(/^\d+$/)
  }
  return { passed: answers.length - refused.length, refused: refused.length }
}

const TYPES = "/v1/scheduling/appointment-types?shop_uid=none"

describe("the patient interface", () => {
  test("refuses requests of an address beyond its limit, and none of another address", async () => {
    const address = someAddress()
    const { passed, refused } = counts(await floodUntilRefused(() => sendRequest(address, "GET", TYPES)))
    expect(passed).toBeGreaterThanOrEqual(10)
    expect(refused).toBeGreaterThan(0)
    const other = await sendRequest(someAddress(), "GET", TYPES)
    expect(other.status).toBe(404)
    expect(other.headers.get("ratelimit-remaining")).toBe("9")
  })

  test("a new invented credential per request opens no bucket", async () => {
    for (const header of ["x-api-key", "x-service-booking-token", "authorization"]) {
      const address = someAddress()
      const answers = await floodUntilRefused(() =>
        sendRequest(address, "GET", TYPES, { headers: { [header]: random("made_up") } })
      )
      expect(counts(answers).refused).toBeGreaterThan(0)
    }
  })

  test("neither does an invented code", async () => {
    const address = someAddress()
    const answers = await floodUntilRefused(() =>
      sendRequest(address, "GET", `/v1/scheduling/appointment-actions/${random("aac")}`)
    )
    expect(counts(answers).refused).toBeGreaterThan(0)
  })

  test("an IPv6 subscriber's whole network counts as one address", async () => {
    const network = `2001:db8:${hex()}:${hex()}`
    const answers = await floodUntilRefused(() => sendRequest(`${network}:${hex()}::${hex()}`, "GET", TYPES))
    expect(counts(answers).refused).toBeGreaterThan(0)
  })

  test("a verified credential has one bucket, from whichever address it comes", async () => {
    const world = await makeWorld(server.current)
    const token = await world.token()
    const body = { mode: "booking", appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
    const answers = await floodUntilRefused(() =>
      sendRequest(someAddress(), "POST", "/v1/scheduling/booking-sessions", { token, body })
    )
    const { passed, refused } = counts(answers)
    expect(passed).toBeGreaterThanOrEqual(10)
    expect(refused).toBeGreaterThan(0)
    const other = { token: await world.token("customer-2"), body }
    expect((await sendRequest(someAddress(), "POST", "/v1/scheduling/booking-sessions", other)).status).toBe(200)
  })
})

describe("what a request costs", () => {
  /** The tokens that a request with this response takes from its address's buckets, which never become empty. */
  const takenBy = async (path: string, answer: HttpServerResponse.HttpServerResponse, spent = 0) => {
    let taken = 0
    const take = ({ tokens }: Taking) => {
      taken += tokens
      return Effect.succeed({ remaining: 1, fullIn: 0, missing: 0 })
    }
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost${path}`)).modify({ url: path })
    await server.current.run(
      makeRateLimit.pipe(
        Effect.flatMap((limit) => limit(Effect.as(spent > 0 ? spend(spent) : Effect.void, answer))),
        Effect.provideService(Buckets, { take }),
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        Effect.asVoid
      )
    )
    return taken
  }
  const empty = (status: number) => HttpServerResponse.empty({ status })

  test("a refused credential costs three requests", async () => {
    expect(await takenBy("/v1/scheduling/booking-sessions", empty(401))).toBe(3)
    expect(await takenBy("/v1/scheduling/booking-sessions", empty(404))).toBe(1)
  })

  test("a slot search costs by the size of its result", async () => {
    const slots = (bytes: number) => HttpServerResponse.uint8Array(new Uint8Array(bytes))
    expect(await takenBy("/v1/scheduling/slots/search", slots(131_071))).toBe(1)
    expect(await takenBy("/v1/scheduling/slots/search", slots(5 * 131_072))).toBe(6)
    const streamed = HttpServerResponse.stream(Stream.make(new Uint8Array(1)))
    expect(await takenBy("/v1/scheduling/slots/search", streamed, 5 * 131_072)).toBe(6)
  })

  test("one of concurrent large searches from one address is answered", async () => {
    const world = await makeWorld(server.current, { doctors: 1, type: { duration_minutes: 1 } })
    const body = {
      shop_uid: world.shop_uid,
      appointment_type_uid: world.type_uid,
      from: inDays(1),
      to: inDays(32),
      timezone: "UTC"
    }
    const address = someAddress()
    const answers = await floodUntilRefused(() => sendRequest(address, "POST", "/v1/scheduling/slots/search", { body }))
    const passed = answers.filter(({ status }) => status === 200).length
    expect(passed).toBeGreaterThan(0)
    expect(answers.length - passed).toBeGreaterThan(passed)
  })
})

test("an unknown console cookie is a refused credential, a missing one is not", async () => {
  const refusals = async (headers: Readonly<Record<string, string>>) => {
    let count = 0
    const refuse = Effect.sync(() => {
      count += 1
    })
    const request = HttpServerRequest.fromWeb(new Request("http://localhost/console", { headers }))
    const signedIn = await server.current.run(
      Effect.flatMap(Sessions, ({ current }) => current).pipe(
        Effect.provide(Sessions.Default),
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        Effect.provideService(Allowance, {
          charge: () => Effect.void,
          spend: () => Effect.void,
          ensure: Effect.void,
          refuse
        })
      )
    )
    expect(Option.isNone(signedIn)).toBe(true)
    return count
  }
  expect(await refusals({ cookie: "sprechstunde-console=made-up" })).toBe(1)
  expect(await refusals({})).toBe(0)
})

describe("the other interfaces", () => {
  const DOCTORS = "/v1/management/scheduling/doctors"

  test("give each API key its own bucket", async () => {
    const [one, other] = [await makeWorld(server.current), await makeWorld(server.current)]
    const address = someAddress()
    const { passed, refused } = counts(
      await floodUntilRefused(() => sendRequest(address, "GET", DOCTORS, { key: one.key }))
    )
    expect(passed).toBeGreaterThanOrEqual(20)
    expect(refused).toBeGreaterThan(0)
    const neighbour = await sendRequest(address, "GET", DOCTORS, { key: other.key })
    expect(neighbour.status).toBe(200)
    expect(neighbour.headers.get("ratelimit-limit")).toBe("20")
  })

  test("and each member of staff too", async () => {
    const world = await makeWorld(server.current)
    const bearer = await adminOf(server.current, world)
    const answers = await floodUntilRefused(() => sendRequest(someAddress(), "GET", "/v1/admin/api-keys", { bearer }))
    expect(counts(answers).refused).toBeGreaterThan(0)
  })

  test("refuse an address that sends refused credentials, whatever the credentials", async () => {
    const address = someAddress()
    const refuse = () => sendRequest(address, "GET", DOCTORS, { key: random("made_up_key_of_32_characters") })
    const answers = await floodUntilRefused(refuse)
    expect(answers.map(({ status }) => status)).toContain(401)
    expect(counts(answers).refused).toBeGreaterThan(0)
  })

  test("limit storefront webhooks without a valid signature", async () => {
    const address = someAddress()
    const { shop_identifier } = await makeWorld(server.current)
    const path = `/v1/storefront/${shop_identifier}/webhooks`
    const answers = await floodUntilRefused(() => sendRequest(address, "POST", path, { body: {} }))
    expect(counts(answers).refused).toBeGreaterThan(0)
  })
})

describe("pages", () => {
  const pages = [
    "/meet/book/none",
    "/meet/booking/blc_none",
    "/meet/appointment/aac_none",
    "/meet/meeting/room?jwt=none"
  ]
  test.each([...pages, "/meet/meeting/room/socket", "/storefront/checkout/none"])("%s is limited", async (path) => {
    const address = someAddress()
    const answers = await floodUntilRefused(() => sendRequest(address, "GET", path))
    const { passed, refused } = counts(answers)
    expect(passed).toBeGreaterThanOrEqual(10)
    expect(refused).toBeGreaterThan(0)
    if (pages.includes(path))
      for (const { status, headers, body } of answers) {
        if (status !== 429) continue
        expect(headers.get("content-type")).toStartWith("text/html")
        expect(body).toContain("Einen Augenblick bitte")
        expect(body).toContain(`href="${path}"`) // to try again
      }
  })

  test("and their forms", async () => {
    const path = "/meet/booking/blc_none/hold"
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const address = someAddress()
    const answers = await floodUntilRefused(() => sendRequest(address, "POST", path, { headers, body: "start=1" }))
    expect(counts(answers).refused).toBeGreaterThan(0)
  })

  test("pictures, which are read from the database, are limited like other routes", async () => {
    const { headers } = await sendRequest(someAddress(), "GET", "/meet/images/none.png")
    expect(headers.get("ratelimit-limit")).not.toBeNull()
  })

  test("a picture is read from the database once", async () => {
    const { organisation_uid } = await makeWorld(server.current)
    const name = `${crypto.randomUUID().replaceAll("-", "").slice(0, 22)}.png`
    const bytes = new Uint8Array([137, 80, 78, 71])
    await server.current.sql`INSERT INTO images (organisation_uid, name, content_type, bytes)
      VALUES (${organisation_uid}, ${name}, 'image/png', ${bytes})`
    const picture = () => sendRequest(someAddress(), "GET", `/meet/images/${name}`)
    expect((await picture()).status).toBe(200)
    await server.current.sql`DELETE FROM images WHERE name = ${name}`
    expect((await picture()).status).toBe(200)
  })

  test("health checks and the pages' own files are not limited", async () => {
    for (const path of ["/healthz", "/meet/booking-widget.js"])
      for (const { status, headers } of await flood(40, someAddress(), "GET", path)) {
        expect(status).toBe(200)
        expect(headers.get("ratelimit-limit")).toBeNull()
      }
  })
})

describe("when the pages have their own host", () => {
  const ofPages = testServer({ RATE_LIMIT_KEY_PER_SECOND: "20", MEETINGS_URL: "http://meet.example.org" })

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
