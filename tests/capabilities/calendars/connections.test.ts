/** Connected calendars, both ways, with a stand-in of Google (Rule 3.15). */
import { afterAll, expect, test } from "bun:test"
import { asDoctor } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { ownServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { inDays, makeWorld } from "../../support/world.ts"

interface Item {
  readonly id: string
  readonly [field: string]: unknown
}
const items = new Map<string, Item>()
let changed: Array<Item> = []
const writes: Array<string> = []
const put = (item: Item) => {
  items.set(item.id, item)
  changed.push(item)
  return Response.json(item)
}
const google = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/token") return Response.json({ access_token: "at", refresh_token: "rt", expires_in: 3600 })
    if (pathname.endsWith("/calendarList"))
      return Response.json({ items: [{ id: "ada@example.org", summary: "Ada", primary: true }] })
    if (pathname.endsWith("/watch"))
      return Response.json({ id: "ch", resourceId: "res", expiration: `${Date.now() + 86_400_000}` })
    const id = pathname.split("/").at(-1) ?? ""
    if (request.method === "GET" && id !== "events") {
      const found = items.get(id)
      return found === undefined ? new Response(null, { status: 404 }) : Response.json(found)
    }
    if (request.method === "GET") {
      const found = searchParams.has("syncToken") ? changed : [...items.values()]
      changed = []
      return Response.json({ items: found, nextSyncToken: "next" })
    }
    writes.push(request.method)
    if (request.method === "POST")
      return put({ id: crypto.randomUUID(), status: "confirmed", ...(await request.json()) })
    const before = items.get(id)
    if (before === undefined) return new Response(null, { status: 404 })
    if (request.method === "PATCH") return put({ ...before, ...(await request.json()) })
    items.delete(id)
    changed.push({ id, status: "cancelled" })
    return new Response(null, { status: 204 })
  }
})
afterAll(() => google.stop(true))
const at = `http://127.0.0.1:${google.port}`
const server = ownServer({
  SANDBOX: "true",
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "secret",
  GOOGLE_ACCOUNTS_URL: at,
  GOOGLE_TOKEN_URL: `${at}/token`,
  GOOGLE_API_URL: at
})

test("a doctor connects a calendar: its times are busy, and appointments stand in it", async () => {
  const world = await makeWorld(server.current)
  const bearer = await doctorOf(server.current, world)
  const path = "/v1/doctor/calendar-connections"
  const ask = (method: string, below = "", body?: unknown) => server.current.api(method, path + below, { bearer, body })
  expect((await ask("POST", "", { provider: "microsoft" })).status).toBe(400)
  const start = inDays(3) + 9 * 3600
  const time = (seconds: number) => ({ dateTime: new Date(seconds * 1000).toISOString() })
  items.set("foreign", { id: "foreign", status: "confirmed", start: time(start), end: time(start + 1800) })

  const attempt = await ask("POST", "", { provider: "google" })
  expect(attempt.status).toBe(201)
  expect((await ask("GET")).body.data).toEqual([])
  const authorize = new URL(attempt.body.authorize_url)
  expect(authorize.searchParams.get("code_challenge_method")).toBe("S256")
  const callback = `/connect/calendar/google/callback?${new URLSearchParams({ code: "c", state: authorize.searchParams.get("state") ?? "" })}`
  const stranger = await fetch(new URL(callback, server.current.url), { redirect: "manual" })
  expect(stranger.headers.get("location")).toStartWith("/console/sign-in")
  const browser = await asDoctor(server.current, world)
  expect((await browser.ask(callback)).status).toBe(303)
  expect((await browser.ask(callback)).location).toContain("connected=false")

  const read = async () => (await ask("GET", `/${attempt.body.uid}`)).body
  expect(await eventually(read, (one) => one.status === "current")).toMatchObject({
    account: "ada@example.org",
    calendars: [{ id: "ada@example.org", name: "Ada", reads: true, writes: false }]
  })
  const busy = () =>
    server.current.query("SELECT start_date FROM claims WHERE claimant = 'connected_calendar' AND claimed_by = $1", [
      attempt.body.uid
    ])
  expect(await busy()).toHaveLength(1)

  const chosen = await ask("PATCH", `/${attempt.body.uid}`, { calendars: [{ id: "ada@example.org", writes: true }] })
  expect(chosen.status).toBe(200)
  const appointment = await world.booked(inDays(2, 10))
  const own = () => [...items.values()].filter((one) => one.summary === "Termin")
  await eventually(
    () => Promise.resolve(own()),
    (found) => found.length === 1
  )
  expect(JSON.stringify(own())).not.toContain("Testa")
  await world.api("POST", `/v1/management/scheduling/appointments/${appointment}/cancel`, { reason: "ill" })
  await eventually(
    () => Promise.resolve(own()),
    (found) => found.length === 0
  )
  expect(await busy()).toHaveLength(1)
  expect(writes).toEqual(["POST", "DELETE"])
  expect((await ask("DELETE", `/${attempt.body.uid}`)).status).toBe(204)
  expect(await busy()).toHaveLength(0)
})
