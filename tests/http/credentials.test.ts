/**
 * Every kind of credential and code × everything that can be asked: each operation of the document, each route beside it (pages, console,
 * FHIR, sockets). What a credential may is derived from the document; what a code opens, from the table
 * below, which names every route with a code.
 */
import { beforeAll, describe, expect, test } from "bun:test"
import { HttpApiBuilder } from "@effect/platform"
import { Chunk, Effect } from "effect"
import { type Letter, type ResourceType, resourceTypes, rights } from "../../src/capabilities/fhir/schemas/rights.ts"
import { codeKinds, codePowers } from "../../src/schemas/scheduling/ActionLink.ts"
import { connect } from "../support/meetings.ts"
import { isLong, sized, someOf } from "../support/scale.ts"
import { type Answer, type Ask, ownServer } from "../support/server.ts"
import { type Carried, carriedBy, codesOf, fhirToken, fileToken, roles, type StaffRole } from "./matrix/credentials.ts"
import { hides, keyKind, type Operation, operations } from "./matrix/operations.ts"
import { bodyFor } from "./matrix/samples.ts"
import { snapshot } from "./matrix/snapshot.ts"
import { makeTenant, type Tenant } from "./matrix/tenant.ts"

const server = ownServer({ ROLE: "http" })
let tenant: Tenant
let carried: ReadonlyArray<Carried>
let sessions: Awaited<ReturnType<typeof carriedBy>>["sessions"]
let codes: Readonly<Record<string, string>>
let room: string
beforeAll(async () => {
  tenant = await makeTenant(server.current)
  const made = await carriedBy(server.current, tenant)
  carried = made.carried
  sessions = made.sessions
  const found = await codesOf(server.current, tenant)
  codes = { ...found.codes, "SMART assertion": made.assertion, ...Object.fromEntries(sessions.map(csrfOf)) }
  room = found.room
  expect(sessions.map(({ role }) => role)).toEqual([...roles])
  expect(Object.entries(codes).filter(([, code]) => code === "" || code === "undefined")).toEqual([])
}, 600_000)
const csrfOf = ({ role, csrf }: { readonly role: string; readonly csrf: string }) =>
  [`form token of a ${role}`, csrf] as const

/** A path whose records do not exist: what may be asked is 404, or 400. */
const emptyPath = ({ path }: Operation) => path.replace(/\{\w+\}/g, "unknown")
const sent = (operation: Operation, ask: Ask) =>
  server.current.api(operation.method, emptyPath(operation), {
    ...ask,
    ...(operation.method === "GET" || operation.method === "DELETE" ? {} : { body: {} })
  })

type Verdict = "allowed" | "refused" | "unknown"
const permitsKey = (operation: Operation, { permission = "", isPharmacys = false }: Carried) =>
  operation.permissions.length === 0 ||
  (operation.permissions.includes(permission) && isPharmacys === (keyKind(operation) === "pharmacy"))
const roleAt = ({ path }: Operation): StaffRole =>
  path.startsWith("/v1/operator/") ? "operator" : path.startsWith("/v1/admin/") ? "admin" : "doctor"

/** `refused`: it is known, and may not; `unknown`: it is no credential here. */
const verdictOf = (operation: Operation, credential: Carried): Verdict => {
  const { scheme, role } = credential
  if (scheme === "cookie" || scheme === "fhir" || !operation.security.includes(scheme)) return "unknown"
  if (scheme === "bookingToken") return "allowed"
  const isAllowed = scheme === "apiKey" ? permitsKey(operation, credential) : role === roleAt(operation)
  return isAllowed ? "allowed" : "refused"
}
const verdictIn = ({ status }: Answer, operation: Operation): Verdict =>
  status === 401 ? "unknown" : status === 403 ? "refused" : hides(operation) && status === 404 ? "refused" : "allowed"

/** Operations of patients answer 404 for what is not there and for what may not be asked alike. */
const isTold = (operation: Operation) => !(hides(operation) && emptyPath(operation) !== operation.path)

const guarded = operations.filter(({ security }) => security.length > 0)
const open = operations.filter(({ security, path }) => security.length === 0 && !path.startsWith("/dev-idp/"))

/** In the short run one of `share` cells of each row: another one in the next row, so that every column has some. */
const isTurn = (row: number, column: number, share: number) => isLong || (row + column) % share === 0

/** In the short run one of 24; of every third operation all that its permission, its role or a patient's token allows. */
const someFor = (operation: Operation, index: number) =>
  carried.filter(
    (one, at) =>
      isTurn(index, at, 24) ||
      (index % 3 === 0 &&
        verdictOf(operation, one) === "allowed" &&
        (one.scheme !== "apiKey" || operation.permissions.length > 0))
  )

const surprises: Array<unknown> = []
const wonder = (isExpected: boolean, what: unknown) => {
  if (!isExpected) surprises.push(what)
}
const expectNoSurprise = () => expect(surprises.splice(0)).toEqual([])

test("FHIR × what a header carries: the permission of Rule 20.2.1, and the client's token", async () => {
  const asked: ReadonlyArray<readonly [ResourceType, Letter, string, string]> = resourceTypes.flatMap((type) => [
    [type, "r", "GET", `/fhir/r4/${type}/unknown`],
    [type, "s", "GET", `/fhir/r4/${type}?_id=unknown`],
    [type, "c", "POST", `/fhir/r4/${type}/$book`],
    [type, "u", "PATCH", `/fhir/r4/${type}/unknown`]
  ])
  let fresh: Ask = {}
  for (const [row, [type, letter, method, path]] of asked.entries()) {
    // it lasts five minutes
    if (isLong || row === 0) fresh = { bearer: (await fhirToken(server.current, tenant)).token }
    const needed = rights[type][letter]
    for (const [column, { kind, scheme, permission, ask: given }] of carried.entries()) {
      if (!isTurn(row, column, 12) && scheme !== "fhir" && (permission === undefined || permission !== needed)) continue
      const ask = scheme === "fhir" ? fresh : given
      const { status } = await server.current.api(method, path, {
        ...ask,
        ...(method === "GET" ? {} : { body: {}, headers: { ...ask.headers, "content-type": "application/fhir+json" } })
      })
      const isKnown = scheme === "fhir" || (scheme === "apiKey" && permission !== undefined)
      const isMay = needed !== undefined && (scheme === "fhir" || permission === needed)
      const isRight = !isKnown
        ? status === 401
        : isMay
          ? ![401, 403].includes(status) && status < 500
          : needed === undefined
            ? status >= 400 && status < 500
            : status === 403 || status === 404
      wonder(isRight, [`${method} ${path}`, kind, status])
    }
  }
  expectNoSurprise()
}, 600_000)

/** Every route with a code in its path, and the kinds that it opens for. */
const launch = ["launch code"]
const offer = ["offer's code"]
const actions = codeKinds.map((kind) => `${kind} code`)
const kindsAt = (path: string, method: string): ReadonlyArray<string> | undefined => {
  const powers = Object.values(codePowers)
  if (path.includes("/intake/")) return actions // any code of an appointment opens its intake
  const ofInterface = /^\/v1\/scheduling\/appointment-actions\/[^/]+(\/.*)?$/.exec(path)
  if (ofInterface !== null)
    return powers
      .filter(({ route }) => route?.[1] === (ofInterface[1] ?? "") && route[0] === method)
      .flatMap(({ kinds }) => kinds.map((kind) => `${kind} code`))
  const ofPage = /^\/meet\/appointment\/[^/]+(\/.*)?$/.exec(path)
  if (ofPage !== null) {
    const paths = powers.filter(({ page }) => page !== null && "path" in page && page.path === (ofPage[1] ?? ""))
    if (ofPage[1] === "/room") return codePowers.join.kinds.map((kind) => `${kind} code`)
    return method === "GET" ? paths.flatMap(({ kinds }) => kinds.map((kind) => `${kind} code`)) : actions
  }
  if (path.startsWith("/v1/scheduling/booking-sessions/") || path.startsWith("/meet/booking/")) return launch
  if (path.startsWith("/v1/scheduling/waitlist-offers/") || path.startsWith("/meet/waitlist/")) return offer
  if (path.startsWith("/meet/recall/")) return ["recall's code"]
  if (path.startsWith("/meet/guest/")) return ["guest's code"]
  if (path.startsWith("/v1/calendar-feeds/")) return ["calendar feed's code"]
  if (path.startsWith("/v1/prescription-files/")) return ["file's token"]
  if (path.startsWith("/meet/request/")) return [] // with a code of its own: the tests of forms
  if (path.startsWith("/connect/calendar/")) return [] // with a code that the provider is given: the tests of connections
  if (path.startsWith("/v1/form-files/")) return [] // with a token of its own kind: the tests of forms
  return undefined
}
/** Names that are public, assets, and what only development has. */
const PUBLIC = [
  /^\/(meet\/)?book\/:code/,
  /^\/meet\/assets\//,
  /^\/booking\/:code$/,
  /^\/meet\/(images|logo)/,
  /^\/storefront\//,
  /^\/v1\/storefront\//,
  /^\/console\//,
  /^\/fhir\//,
  /^\/docs/,
  /^\/dev-idp\//
]

/** The calendar file of a session in which nothing is booked, and a type of request that there is not. */
const hasNothingYet = (path: string, status: number) =>
  ["/meet/booking/:code/appointment.ics", "/meet/booking/:code/requests/:request_type_uid"].includes(path) &&
  status === 404

const routesOf = () =>
  server.current.run(
    Effect.map(HttpApiBuilder.Router.router, ({ routes }) =>
      Chunk.toReadonlyArray(routes).map(({ method, path }) => ({ method, path: String(path) }))
    )
  )
const routeOf = ({ path }: Operation) => path.replace(/\{(\w+)\}/g, ":$1")
const documented = new Set(operations.map((one) => `${one.method} ${routeOf(one)}`))

/** Secrets of every kind; of keys, one in the short run. */
const everySecret = () => ({
  ...codes,
  ...Object.fromEntries(
    carried
      .filter(({ permission = "scheduling:read" }) => isLong || permission === "scheduling:read")
      .map(({ kind, secret }) => [kind, secret])
  )
})

describe("codes", () => {
  test("every route with a code in its path is in the table", async () => {
    const withCode = (await routesOf()).filter(({ path }) => path.includes(":") || path.includes("*"))
    const beside = withCode.filter(({ method, path }) => !documented.has(`${method} ${path}`))
    expect(beside.length).toBeGreaterThan(20)
    const unknown = beside.filter(({ path }) => !PUBLIC.some((one) => one.test(path)) && !path.includes("/meeting/"))
    expect(unknown.filter(({ method, path }) => kindsAt(path, method) === undefined)).toEqual([])
    const openWithCode = open.filter(({ path }) => path.includes("{") && !path.includes("shop_identifier"))
    expect(openWithCode.filter(({ path, method }) => kindsAt(path, method) === undefined)).toEqual([])
  })

  test("routes with a code × codes: each opens its own, and what does not open changes nothing", async () => {
    const secrets = everySecret()
    const bodies = new Map<string, unknown>()
    for (const one of open) bodies.set(`${one.method} ${routeOf(one)}`, await bodyFor(one, tenant))
    const routes = [
      ...(await routesOf()).filter(({ method, path }) => !documented.has(`${method} ${path}`)),
      ...open.map((one) => ({ method: one.method, path: routeOf(one) }))
    ].filter(({ method, path }) => path.includes(":") && kindsAt(path, method) !== undefined)
    const before = await snapshot(server.current, tenant)
    for (const [row, { method, path }] of routes.entries())
      for (const [column, [kind, made]] of Object.entries(secrets).entries()) {
        const isOpen = kindsAt(path, method)?.includes(kind) === true
        // codes of appointments differ by their kind alone: each is asked
        const isAlike = actions.includes(kind) && path.includes("/appointment")
        // what is open and changes something is of the tests of codes, the waiting list and bookings
        if (isOpen ? method !== "GET" : !isAlike && !isTurn(row, column, 6)) continue
        const secret =
          path.includes("prescription-files") && kind === "file's token"
            ? await fileToken(server.current, tenant)
            : made
        const at = path
          .replace(/:\w+/, encodeURIComponent(secret))
          .replace(/:\w+/g, (name) => tenant.named[name.slice(1)] ?? "unknown")
        const form = path.startsWith("/meet/") ? { "content-type": "application/x-www-form-urlencoded" } : {}
        const content = path.startsWith("/meet/") ? "action=cancel" : bodies.get(`${method} ${path}`)
        const body = method === "GET" || content === undefined ? {} : { body: content, headers: form }
        const { status, headers } = await server.current.api(method, at, body)
        // a form that is refused leads back to its page, which is 404; so does its address when it is opened
        const leadsBack = status === 303 && path.startsWith("/meet/") && !(headers.get("location") ?? "").includes("//")
        const isRight = isOpen
          ? status === 200 || leadsBack || hasNothingYet(path, status)
          : [401, 404].includes(status) || leadsBack
        wonder(isRight, [`${method} ${path}`, kind, status])
      }
    expectNoSurprise()
    expect(await snapshot(server.current, tenant)).toEqual(before)
  }, 600_000)

  test("the room of a call × secrets: its page and its socket open for a join token alone", async () => {
    // in the short run one of six, and all that are signed as a join token is
    const secrets = Object.entries(everySecret()).filter(
      ([, secret], at) => isTurn(0, at, 6) || secret.split(".").length === 3
    )
    for (const [kind, secret] of secrets) {
      const { status } = await server.current.api("GET", `/meet/meeting/${room}?jwt=${encodeURIComponent(secret)}`)
      wonder(status === (kind === "join token" ? 200 : 404), ["page", kind, status])
      const guest = connect(server.current, room, encodeURIComponent(secret))
      if (kind === "join token") {
        await guest.hears("welcome")
        guest.close()
      } else wonder((await guest.closed) === 4401, ["socket", kind])
    }
    expectNoSurprise()
  }, 600_000)
})

test("operations × what a header carries: each is known where the document names it, and does what its permission says", async () => {
  for (const [index, operation] of guarded.entries())
    for (const credential of someFor(operation, index)) {
      const expected = verdictOf(operation, credential)
      const answer = await sent(operation, credential.ask)
      const found = verdictIn(answer, operation)
      const isRight =
        isTold(operation) || expected === "unknown"
          ? found === expected
          : answer.status === 404 || (expected === "allowed" && answer.status === 400)
      wonder(isRight && answer.status < 500, [operation.id, credential.kind, expected, answer.status, answer.body.code])
    }
  expectNoSurprise()
}, 600_000)

test("operations × secrets in another's header: none is known there", async () => {
  const headers: ReadonlyArray<readonly [string, (text: string) => Ask]> = [
    ["apiKey", (key) => ({ key })],
    ["bookingToken", (token) => ({ token })],
    ["bearer", (bearer) => ({ bearer })]
  ]
  const secrets = [
    ...carried.filter(
      ({ scheme, permission = "scheduling:read" }) => scheme !== "apiKey" || permission === "scheduling:read"
    ),
    ...Object.entries(codes).map(([kind, secret]) => ({ kind, secret, scheme: "code" as const }))
  ]
  // in the short run each secret in each header once
  let turn = 0
  for (const [scheme, asking] of headers) {
    const accepting = guarded.filter(({ security }) => security.includes(scheme))
    for (const secret of secrets.filter((one) => one.scheme !== scheme)) {
      const at = turn++ % accepting.length
      for (const operation of isLong ? guarded : accepting.slice(at, at + 1)) {
        const { status } = await sent(operation, asking(secret.secret))
        wonder(status === 401, [operation.id, `${secret.kind} as ${scheme}`, status])
      }
    }
  }
  expectNoSurprise()
}, 600_000)

test("operations without a credential answer alike whatever a header carries", async () => {
  for (const [index, operation] of open.entries()) {
    const { status } = await sent(operation, {})
    for (const credential of someFor(operation, index)) {
      const answer = await sent(operation, credential.ask)
      wonder(answer.status === status, [operation.id, credential.kind, status, answer.status])
    }
  }
  expectNoSurprise()
}, 600_000)

const workspaceOf: Readonly<Record<string, StaffRole>> = {
  doctor: "doctor",
  practice: "admin",
  pharmacy: "pharmacy",
  operator: "operator"
}

describe("the console", () => {
  const withCookie = async (
    method: string,
    path: string,
    cookie: string,
    form: Readonly<Record<string, string>> = {}
  ) => {
    const body = method === "POST" ? { body: new URLSearchParams(form) } : {}
    const answer = await fetch(server.current.url + path, { method, redirect: "manual", headers: { cookie }, ...body })
    await answer.body?.cancel()
    return answer
  }

  test("pages and forms × cookies: a workspace opens for its own staff, and no form without its token", async () => {
    const routes = (await routesOf()).filter(({ path }) => path.startsWith("/console/"))
    const others = ["made-up", ...someOf(Object.values(codes), 12).map(encodeURIComponent)]
    const cookies: ReadonlyArray<{ readonly role: StaffRole | null; readonly cookie: string }> = [
      ...sessions,
      ...["", ...others.map((one) => `sprechstunde-console=${one}`)].map((cookie) => ({ role: null, cookie }))
    ]
    let walked = 0
    for (const [row, { method, path }] of routes.entries()) {
      const workspace = workspaceOf[path.split("/")[2] ?? ""]
      if (workspace === undefined) continue
      for (const [column, { role, cookie }] of cookies.entries()) {
        if (role !== workspace && !isTurn(row, column, 8)) continue
        walked++
        const { status, headers } = await withCookie(method, path.replace(/:\w+/g, "unknown"), cookie)
        const isSignIn = status === 303 && (headers.get("location") ?? "").startsWith("/console/sign-in")
        const isHome = status === 303 && method === "GET" && path.endsWith("/do")
        const isRight =
          isHome ||
          (role === null
            ? isSignIn
            : role !== workspace
              ? status === 404
              : method === "POST"
                ? status === 403
                : status < 500 && status !== 403 && !isSignIn)
        wonder(isRight, [`${method} ${path}`, role ?? cookie.slice(0, 30), status])
      }
    }
    expect(walked).toBeGreaterThan(sized(100, 300))
    expectNoSurprise()
  }, 600_000)

  /** What a person may by a form: what their role may. A key's own operations, without permissions, are nobody's. */
  const mayByForm = (role: StaffRole, operation: Operation) => {
    if (operation.security.includes("bearer")) return role === roleAt(operation)
    if (!operation.security.includes("apiKey") || operation.permissions.length === 0) return false
    return role === (keyKind(operation) === "pharmacy" ? "pharmacy" : "admin")
  }

  test("forms × operations: a form's operation is one of its person's role", async () => {
    for (const [index, operation] of guarded.entries()) {
      for (const [at, { role, cookie, csrf }] of sessions.entries()) {
        const isMay = mayByForm(role, operation)
        const isKeysOwn = operation.security.includes("apiKey") && operation.permissions.length === 0
        if (!isTurn(index, at, isKeysOwn ? 4 : 24)) continue
        const workspace = Object.keys(workspaceOf).find((one) => workspaceOf[one] === role)
        const sent = await withCookie("POST", `/console/${workspace}/do`, cookie, {
          "@csrf": csrf,
          "@operation": `${operation.method} ${emptyPath(operation)}`
        })
        const shown = sent.headers.get("location") ?? ""
        const { status } = /[?&]refused=/.test(shown) ? await withCookie("GET", shown, cookie) : sent
        const isRefused = [401, 403].includes(status) || (hides(operation) && status === 404)
        const isRight = status < 500 && (isMay ? isRefused === false || hides(operation) : isRefused)
        wonder(isRight, [operation.id, role, status])
      }
    }
    expectNoSurprise()
  }, 600_000)
})
