import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { INHERITED } from "../http/matrix/hostile.ts"
import { issuedCode } from "../support/codes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()

const pageOf = async (world: World, body = {}) =>
  `/meet/booking/${await world.session("p", { from: inDays(1), to: inDays(3), ...body })}`
const codeIn = (page: string) => page.split("/").at(-1) ?? ""

const read = async (path: string) => (await server.current.api("GET", path)).text
const form = (path: string, fields: Readonly<Record<string, string>>) =>
  server.current.api("POST", path, { body: new URLSearchParams(fields) })
const holdIn = (page: string) => /name="hold_uid" value="([^"]+)"/.exec(page)?.[1] ?? ""

// Shows: open redirects
// Shows: open redirects after a booking
test.each([
  ["main button", "primary", "https://shop.example/thanks?order=1"],
  ["main button", "primary", "https://partner.example/"],
  ["link that names its host", "quiet", "https://elsewhere.example/shop.example"],
  ["link that names its host", "quiet", "http://localhost:3000/done"],
  ["link that names its host", "quiet", "https://shop.example:8443/"],
  ["link that names its host", "quiet", "https://shop.example.elsewhere.example/"]
])("a confirmed booking leads back by a %s (%s) to %s, as its origin is listed or not", async (_, kind, return_url) => {
  const world = await makeWorld(server.current, {
    organisation: { return_url_origins: ["https://shop.example"], embed_origins: ["https://partner.example"] }
  })
  const page = await pageOf(world, { return_url })
  const held = await world.hold(codeIn(page), inDays(1, 10))
  await world.confirm(codeIn(page), held.body.hold_uid)
  const text = await read(page)
  expect(text).toContain('data-stage="confirmed"')
  expect(text).toContain(`<a class="${kind}" href="${return_url}"`)
  expect(text).toContain(new URL(return_url).host)
})

describe("every hosted page", () => {
  // Shows: a stolen booking token or code
  // Shows: a malicious web page
  test("has a content security policy, no cookie, no referrer and no caching", async () => {
    const world = await makeWorld(server.current, { organisation: { embed_origins: ["https://partner.example"] } })
    const answer = await server.current.api("GET", await pageOf(world))
    expect(answer.status).toBe(200)
    const policy = answer.headers.get("content-security-policy") ?? ""
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
    expect(answer.body).toContain(`nonce="${nonce}"`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`frame-ancestors 'self' https://partner.example ${server.current.url}`)
    const named = ["referrer-policy", "cache-control", "x-content-type-options", "set-cookie"]
    expect(named.map((name) => answer.headers.get(name))).toEqual(["no-referrer", "no-store", "nosniff", null])
    const again = await server.current.api("GET", await pageOf(world))
    expect(again.headers.get("content-security-policy")).not.toContain(`${nonce}`)
  })

  test("may also be framed by the shop's own pages", async () => {
    const world = await makeWorld(server.current, { organisation: { embed_origins: ["https://partner.example"] } })
    const { shop_uid: uid, shop_identifier, organisation_uid } = world
    const tokens = { admin_access_token: "shpat_test", storefront_access_token: "test", webhook_secret: "test" }
    const storefront = { kind: "shopify", shop_domain: "praxis.myshopify.com", ...tokens }
    await world.provision({ shops: [{ uid, shop_identifier, organisation_uid, storefront }] })
    const answer = await server.current.api("GET", await pageOf(world))
    expect(answer.headers.get("content-security-policy")).toContain(
      "frame-ancestors 'self' https://partner.example https://praxis.myshopify.com"
    )
  })

  test("of an unknown link is a 404 page in German and English, and does not quote the link", async () => {
    for (const path of ["/meet/booking/blc_<b>x", "/meet/appointment/aac_x", "/meet/meeting/room_x?jwt=x"]) {
      const answer = await server.current.api("GET", path)
      expect(answer.status).toBe(404)
      expect(answer.headers.get("content-type")).toContain("text/html")
      // a call is beside the patient in the console
      const framed = path.startsWith("/meet/meeting/") ? `'self' ${server.current.url}` : "'none'"
      expect(answer.headers.get("content-security-policy")).toEndWith(`frame-ancestors ${framed}`)
      expect(answer.body).toContain("Dieser Link gilt nicht mehr")
      expect(answer.body).not.toContain("<b>x")
    }
    const english = await server.current.api("GET", "/meet/booking/blc_x?lang=en")
    expect(english.body).toContain("This link is no longer valid")
  })
})

test("a fault's page may be framed by the page with the widget, and tells it why; Rule 5.6.4", async () => {
  const world = await makeWorld(server.current)
  const parent = "https://partner.example"
  const address = `${await pageOf(world)}?parent=${encodeURIComponent(parent)}`
  await server.current.query("UPDATE organisations SET branding = '{}' WHERE organisation_uid = $1", [
    world.organisation_uid
  ])
  const { status, body, headers } = await server.current.api("GET", address)
  expect(status).toBe(500)
  expect(headers.get("content-security-policy")).toEndWith(`frame-ancestors 'self' ${parent}`)
  for (const told of ['data-stage="error"', `data-parent="${parent}"`, "{&quot;reason&quot;:&quot;failed&quot;}"])
    expect(body).toContain(told)
  // also where a form leads that met it
  expect((await read(`${address}&notice=failed`)).split("Der Fehler liegt bei uns.")).toHaveLength(2)
})

describe("the booking page", () => {
  // Shows: mail scanners and link previews
  test("changes nothing by GET, and books by POSTs that redirect back to it", async () => {
    const world = await makeWorld(server.current)
    const address = await pageOf(world)
    const slot = `${inDays(1, 9)}.${world.doctor}`
    for (const path of ["/hold", "/confirm"]) {
      const looked = await server.current.api("GET", `${address}${path}?lang=en`)
      expect([looked.status, looked.headers.get("location")]).toEqual([303, `${address}?lang=en`])
    }
    expect(await read(address)).toContain("Wann passt es Ihnen?")
    const query = "?lang=en&zone=Asia%2FTokyo"
    const held = await form(`${address}/hold${query}`, { slot })
    expect([held.status, held.headers.get("location")]).toEqual([303, address + query])
    const page = await read(address + query)
    expect(page).toContain("Tokyo (GMT+9)")
    const hold_uid = holdIn(page)
    const confirmed = await form(`${address}/confirm`, { hold_uid, visit_reason: "a <script> & \r\n line" })
    expect(confirmed.status).toBe(303)
    const list = await world.api("GET", "/v1/management/scheduling/appointments")
    expect(list.body.data).toMatchObject([{ uid: hold_uid, status: "confirmed", visit_reason: "a <script> & \n line" }])
    const late = await form(`${address}/hold`, { slot: `${inDays(1, 11)}.${world.doctor}` })
    expect(late.status).toBe(303)
    expect(await read(address)).toContain("Ihr Termin steht")
  })

  test("answers a taken, unavailable or invented time with fresh times, and keeps the text; Rule 5.5.11", async () => {
    const world = await makeWorld(server.current)
    await world.booked(inDays(1, 9))
    const address = await pageOf(world)
    await form(`${address}/hold`, { slot: `${inDays(1, 11)}.${world.doctor}` })
    for (const slot of [`${inDays(1, 9)}.${world.doctor}`, `${inDays(1, 9) + 7}.${world.doctor}`, "nonsense", ""]) {
      const answer = await form(`${address}/hold`, { slot, visit_reason: 'with "quotes" <i>' })
      expect(answer.status).toBe(303)
      const location = answer.headers.get("location") ?? ""
      expect(location).toStartWith(`${address}?step=times&notice=`)
      expect(location).not.toContain("quotes")
      const page = await read(location)
      for (const part of ["Wann passt es Ihnen?", "Ihr Text bleibt erhalten.", 'role="alert"'])
        expect(page).toContain(part)
      expect(page).toContain(`href="${address}?step=times&amp;lang=en"`)
      expect(await read(address)).toContain("&quot;quotes&quot; &lt;i>")
    }
  })

  test("a form that cannot be taken now leads back to its page, which says so; Rule 5.5.11", async () => {
    const world = await makeWorld(server.current)
    const address = await pageOf(world)
    const page = await read(`${address}?notice=busy`)
    for (const part of ["Aus Ihrem Netz kamen gerade sehr viele", 'data-stage="error"', `data-address="${address}`])
      expect(page).toContain(part)
    const unknown = await form("/meet/appointment/aac_none", { action: "cancel" })
    expect([unknown.status, unknown.headers.get("location")]).toEqual([303, "/meet/appointment/aac_none"])
  })

  test("lets a time be changed, with the text kept, until it is confirmed", async () => {
    const world = await makeWorld(server.current)
    const address = await pageOf(world)
    await form(`${address}/hold`, { slot: `${inDays(1, 9)}.${world.doctor}` })
    const other = await form(`${address}/confirm`, { step: "times", visit_reason: "Husten" })
    expect([other.status, other.headers.get("location")]).toEqual([303, `${address}?step=times`])
    await form(`${address}/hold`, { slot: `${inDays(1, 11)}.${world.doctor}` })
    const page = await read(address)
    expect(page).toContain("11:00")
    expect(page).toContain("Husten</textarea>")
  })

  test("issues links to an appointment that overlaps its hold, at most 200, and none once its own link has expired", async () => {
    const world = await makeWorld(server.current)
    const appointment_uid = await world.booked(inDays(1, 9), "p")
    const address = await pageOf(world)
    expect((await world.hold(codeIn(address), inDays(1, 9), { doctor_uid: world.doctors[1] })).status).toBe(200)
    const manage = () => form(`${address}/manage`, { action: "cancel", appointment_uid })
    expect((await manage()).headers.get("location")).toStartWith("/meet/appointment/aac_")
    const count = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO action_links (organisation_uid, uid, appointment_uid, action, kind, code_hash, created_at, expires_at, fixed_expiry)
          SELECT ${world.organisation_uid}, 'lnk_' || n, ${appointment_uid}, 'cancel', 'cancel', sha256(convert_to(${address} || n, 'UTF8')),
            now() - interval '1 day', now() + interval '1 day', true FROM generate_series(1, 220) n`
        yield* Effect.promise(manage)
        const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM action_links
          WHERE organisation_uid = ${world.organisation_uid} AND action = 'cancel'`
        return row?.count
      })
    )
    expect(count).toBe(200)
    await server.current.sql`UPDATE booking_sessions SET expires_at = now() - interval '1 minute'
      WHERE organisation_uid = ${world.organisation_uid}`
    expect((await manage()).headers.get("location")).toBe(address)
  })

  test("says when the appointment to be moved was cancelled meanwhile, and offers no times for it; Rule 5.5.14", async () => {
    const world = await makeWorld(server.current)
    const old = await world.booked(inDays(2, 10), "mover")
    const code = await world.session("mover", { mode: "rebooking", appointment_uid: old })
    await world.api("POST", `/v1/management/scheduling/appointments/${old}/cancel`, { reason: "ill" })
    const answer = await form(`/meet/booking/${code}/hold`, { slot: `${inDays(1, 9)}.${world.doctor}` })
    expect(answer.status).toBe(303)
    for (const address of [answer.headers.get("location") ?? "", `/meet/booking/${code}`]) {
      const { status, body } = await server.current.api("GET", address)
      expect(status).toBe(410)
      expect(body).toContain("Dieser Termin wurde verschoben oder abgesagt")
      expect(body).not.toContain('name="slot"')
    }
  })

  test("of a link lists times beyond an appointment that lies far ahead; Rule 5.4.17", async () => {
    const world = await makeWorld(server.current)
    const code = await issuedCode(server.current, world, await world.booked(inDays(60, 9), "mover"), "rebook")
    const path = `/v1/scheduling/appointment-actions/${code}/rebook-session`
    const launch = (await server.current.api("POST", path, { body: {} })).body.booking_launch_code
    const day = new Date(inDays(61) * 1000).toISOString().slice(0, 10)
    expect(await read(`/meet/booking/${launch}?step=times&from=${day}`)).toContain(`value="${inDays(61, 9)}.`)
  })

  test("keeps the format and the reason of an in-person appointment that is moved", async () => {
    const world = await makeWorld(server.current)
    const visit = { shop_customer_id: "mover", meeting_format: "IN_PERSON", visit_reason: "Husten" }
    const appointment_uid = (await world.bookByKey({ ...visit, start_date: inDays(2, 10) })).body.uid
    const address = `/meet/booking/${await world.session("mover", { mode: "rebooking", appointment_uid })}`
    const textOf = (path = "") => read(`${address}${path}?lang=de`)
    expect(await textOf()).toContain("Termin in der Praxis")
    await form(`${address}/hold`, { slot: `${inDays(1, 9)}.${world.doctor}` })
    const held = await textOf()
    expect(held).toContain("Husten</textarea>")
    await form(`${address}/confirm`, { hold_uid: holdIn(held), visit_reason: "Husten" })
    const done = await textOf()
    expect(done).toContain("Termin in der Praxis")
    expect(done).not.toContain("Videosprechstunde")
    expect(await textOf("/appointment.ics")).toContain("LOCATION:Termin in der Praxis")
  })

  test("redirects from the service's own address, with the whole query", async () => {
    const address = await pageOf(await makeWorld(server.current))
    const answer = await server.current.api("GET", `${address.replace("/meet", "")}?lang=en`)
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${address}?lang=en`])
  })

  test("speaks of moving only where that is offered, and of reminders only where they have the reason", async () => {
    for (const is of [true, false]) {
      const world = await makeWorld(server.current, {
        type: { allow_patient_rebooking: is },
        organisation: { visit_reason_in_messages: is }
      })
      const address = await pageOf(world)
      const held = await world.hold(codeIn(address), inDays(1, 10))
      expect((await read(address)).includes("Es steht auch in Ihren Terminerinnerungen.")).toBe(is)
      await world.confirm(codeIn(address), held.body.hold_uid)
      const booked = await read(address)
      expect([booked.includes("verschieben"), booked.includes("absagen")]).toEqual([is, true])
    }
  })
})

test("the pages have a font of their own, below 60 kB for Latin and Cyrillic letters", async () => {
  const { url } = server.current
  const page = await read(await pageOf(await makeWorld(server.current)))
  const [, stylesheet = ""] = /href="(\/meet\/assets\/stylesheet-[^"]+)"/.exec(page) ?? []
  const fonts = [...(await read(stylesheet)).matchAll(/url\("?(font-[^")]+)/g)].map(([, file]) => file)
  expect(fonts).toHaveLength(3)
  const files = await Promise.all(
    fonts.map(async (file) => {
      const answer = await fetch(`${url}/meet/assets/${file}`)
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "font/woff2"])
      return answer.bytes()
    })
  )
  expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(60_000)
})

test("the pages' files are compressed and immutable, and the widget is small and readable by every page", async () => {
  const { url } = server.current
  const widget = await fetch(`${url}/meet/booking-widget.js`)
  expect(widget.headers.get("content-type")).toContain("text/javascript")
  expect(widget.headers.get("access-control-allow-origin")).toBe("*")
  expect((await widget.bytes()).length).toBeLessThan(5_000)
  const page = await read(await pageOf(await makeWorld(server.current)))
  for (const [, path] of page.matchAll(/(?:href|src)="(\/meet\/assets\/[^"]+)"/g)) {
    const file = await fetch(url + path)
    expect([file.status, file.headers.get("content-encoding")]).toEqual([200, "br"])
    expect(file.headers.get("cache-control")).toContain("immutable")
  }
  expect((await fetch(`${url}/meet/assets/none.js`)).status).toBe(404)
})

test("words that objects inherit are no code, language, notice or step of a page", async () => {
  const world = await makeWorld(server.current, { organisation: { public_booking: true } })
  const pages = [await pageOf(world), `/meet/book/${world.shop_identifier}`, "/console/sign-in", "/docs/"]
  for (const word of INHERITED) {
    const queries = ["lang", "language", "notice", "theme", "form", "step", "view", "token", word].map(
      (name) => `${name}=${word}`
    )
    const refused: Array<string> = []
    const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const { status } = await server.current.api("GET", path, { headers })
      if (status >= 400) refused.push(`${path} ${JSON.stringify(headers)} ${status}`)
    }
    for (const path of pages) for (const query of queries) await ask(`${path}?${query}`)
    for (const header of ["accept-language", "accept", "content-type", "accept-encoding", "cookie"])
      await ask(pages[0] ?? "", { [header]: word })
    expect(refused).toEqual([])
    for (const path of ["booking", "appointment", "meeting", "book", "recall", "waitlist"])
      expect([path, word, (await server.current.api("GET", `/meet/${path}/${word}`)).status]).toEqual([path, word, 404])
  }
})
