import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()

const pageOf = (world: World, body = {}) => world.session("p", { from: inDays(1), to: inDays(3), ...body })

describe("a confirmed booking leads back", () => {
  const leadsBack = async (return_url: string) => {
    const world = await makeWorld(server.current, {
      organisation: { return_url_origins: ["https://shop.example"], embed_origins: ["https://partner.example"] }
    })
    const code = await pageOf(world, { return_url })
    const held = await world.hold(code, inDays(1, 10))
    await world.confirm(code, held.body.hold_uid)
    const page = await server.current.api("GET", `/meet/booking/${code}`)
    expect(page.body).toContain('data-stage="confirmed"')
    const [, kind = "none"] =
      new RegExp(`<a class="(\\w+)" href="${return_url.replace(/[.?]/g, "\\$&")}"`).exec(String(page.body)) ?? []
    return [kind, String(page.body).includes(`${new URL(return_url).host}`)]
  }

  test.each(["https://shop.example/thanks?order=1", "https://partner.example/"])(
    "by the main button to %s, whose origin is listed",
    async (url) => {
      expect(await leadsBack(url)).toEqual(["primary", true])
    }
  )

  // Shows: open redirects
  // Shows: open redirects after a booking
  test.each([
    "https://elsewhere.example/shop.example",
    "http://localhost:3000/done",
    "https://shop.example:8443/",
    "https://shop.example.elsewhere.example/"
  ])("by a link that names its host to %s, whose origin is not listed", async (url) => {
    expect(await leadsBack(url)).toEqual(["quiet", true])
  })
})

describe("every hosted page", () => {
  // Shows: a stolen booking token or code
  // Shows: a malicious web page
  test("has a content security policy, no cookie, no referrer and no caching", async () => {
    const world = await makeWorld(server.current, { organisation: { embed_origins: ["https://partner.example"] } })
    const answer = await server.current.api("GET", `/meet/booking/${await pageOf(world)}`)
    expect(answer.status).toBe(200)
    const policy = answer.headers.get("content-security-policy") ?? ""
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
    expect(answer.body).toContain(`nonce="${nonce}"`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`frame-ancestors 'self' https://partner.example ${server.current.url}`)
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer")
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    expect(answer.headers.has("set-cookie")).toBe(false)
    const again = await server.current.api("GET", `/meet/booking/${await pageOf(world)}`)
    expect(again.headers.get("content-security-policy")).not.toContain(`${nonce}`)
  })

  test("may also be framed by the shop's own pages", async () => {
    const world = await makeWorld(server.current, { organisation: { embed_origins: ["https://partner.example"] } })
    await world.provision({
      shops: [
        {
          uid: world.shop_uid,
          shop_identifier: world.shop_identifier,
          organisation_uid: world.organisation_uid,
          storefront: {
            kind: "shopify",
            shop_domain: "praxis.myshopify.com",
            admin_access_token: "shpat_test",
            storefront_access_token: "test",
            webhook_secret: "test"
          }
        }
      ]
    })
    const answer = await server.current.api("GET", `/meet/booking/${await pageOf(world)}`)
    expect(answer.headers.get("content-security-policy")).toContain(
      "frame-ancestors 'self' https://partner.example https://praxis.myshopify.com"
    )
  })

  test("uses the browser's language, or the requested one", async () => {
    const world = await makeWorld(server.current)
    const address = `/meet/booking/${await pageOf(world)}`
    const textOf = async (path: string, language: string) =>
      (await server.current.api("GET", path, { headers: { "accept-language": language } })).text
    expect(await textOf(address, "en-GB,en;q=0.9")).toContain('<html lang="en"')
    expect(await textOf(address, "fr,de;q=0.5")).toContain('<html lang="de"')
    expect(await textOf(`${address}?lang=en`, "de")).toContain('<html lang="en"')
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
  const address = `/meet/booking/${await pageOf(world)}?parent=${encodeURIComponent(parent)}`
  await server.current.query("UPDATE organisations SET branding = '{}' WHERE organisation_uid = $1", [
    world.organisation_uid
  ])
  const { status, body, headers } = await server.current.api("GET", address)
  expect(status).toBe(500)
  expect(headers.get("content-security-policy")).toEndWith(`frame-ancestors 'self' ${parent}`)
  expect(body).toContain(`data-stage="error"`)
  expect(body).toContain(`data-parent="${parent}"`)
  expect(body).toContain("{&quot;reason&quot;:&quot;failed&quot;}")
  // also where a form leads that met it
  const again = await server.current.api("GET", `${address}&notice=failed`)
  expect(again.text.split("Der Fehler liegt bei uns.").length - 1).toBe(1)
})

describe("the booking page", () => {
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    server.current.api("POST", path, { body: new URLSearchParams(fields) })

  // Shows: mail scanners and link previews
  test("changes nothing by GET, and books by POSTs that redirect back to it", async () => {
    const world = await makeWorld(server.current)
    const code = await pageOf(world)
    const address = `/meet/booking/${code}`
    const slot = `${inDays(1, 9)}.${world.doctor}`
    for (const path of ["/hold", "/confirm"]) {
      const looked = await server.current.api("GET", `${address}${path}?lang=en`)
      expect(looked.status).toBe(303)
      expect(looked.headers.get("location")).toBe(`${address}?lang=en`)
    }
    expect((await server.current.api("GET", address)).body).toContain("Wann passt es Ihnen?")
    const held = await form(`${address}/hold?lang=en&zone=Asia%2FTokyo`, { slot })
    expect(held.status).toBe(303)
    expect(held.headers.get("location")).toBe(`${address}?lang=en&zone=Asia%2FTokyo`)
    const page = await server.current.api("GET", `${address}?lang=en&zone=Asia%2FTokyo`)
    expect(page.body).toContain("Tokyo (GMT+9)")
    const hold_uid = /name="hold_uid" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    const confirmed = await form(`${address}/confirm`, { hold_uid, visit_reason: "a <script> & \r\n line" })
    expect(confirmed.status).toBe(303)
    const list = await world.api("GET", "/v1/management/scheduling/appointments")
    expect(list.body.data).toMatchObject([{ uid: hold_uid, status: "confirmed", visit_reason: "a <script> & \n line" }])
    const late = await form(`${address}/hold`, { slot: `${inDays(1, 11)}.${world.doctor}` })
    expect(late.status).toBe(303)
    expect((await server.current.api("GET", address)).body).toContain("Ihr Termin steht")
  })

  test("answers a taken, unavailable or invented time with fresh times, and keeps the text; Rule 5.5.11", async () => {
    const world = await makeWorld(server.current)
    await world.booked(inDays(1, 9))
    const address = `/meet/booking/${await pageOf(world)}`
    await form(`${address}/hold`, { slot: `${inDays(1, 11)}.${world.doctor}` })
    for (const slot of [`${inDays(1, 9)}.${world.doctor}`, `${inDays(1, 9) + 7}.${world.doctor}`, "nonsense", ""]) {
      const answer = await form(`${address}/hold`, { slot, visit_reason: 'with "quotes" <i>' })
      expect(answer.status).toBe(303)
      const location = answer.headers.get("location") ?? ""
      expect(location).toStartWith(`${address}?step=times&notice=`)
      expect(location).not.toContain("quotes")
      const { body } = await server.current.api("GET", location)
      expect(body).toContain("Wann passt es Ihnen?")
      expect(body).toContain("Ihr Text bleibt erhalten.")
      expect(body).toContain('role="alert"')
      expect(body).toContain(`href="${address}?step=times&amp;lang=en"`)
      expect((await server.current.api("GET", address)).body).toContain("&quot;quotes&quot; &lt;i>")
    }
  })

  test("a form that cannot be taken now leads back to its page, which says so; Rule 5.5.11", async () => {
    const world = await makeWorld(server.current)
    const address = `/meet/booking/${await pageOf(world)}`
    const { body } = await server.current.api("GET", `${address}?notice=busy`)
    expect(body).toContain("Aus Ihrem Netz kamen gerade sehr viele Anfragen")
    expect(body).toContain('data-stage="error"')
    expect(body).toContain(`data-address="${address}`)
    const unknown = await form("/meet/appointment/aac_none", { action: "cancel" })
    expect([unknown.status, unknown.headers.get("location")]).toEqual([303, "/meet/appointment/aac_none"])
  })

  test("lets a time be changed, with the text kept, until it is confirmed", async () => {
    const world = await makeWorld(server.current)
    const address = `/meet/booking/${await pageOf(world)}`
    await form(`${address}/hold`, { slot: `${inDays(1, 9)}.${world.doctor}` })
    const other = await form(`${address}/confirm`, { step: "times", visit_reason: "Husten" })
    expect([other.status, other.headers.get("location")]).toEqual([303, `${address}?step=times`])
    await form(`${address}/hold`, { slot: `${inDays(1, 11)}.${world.doctor}` })
    const page = (await server.current.api("GET", address)).body
    expect(page).toContain("11:00")
    expect(page).toContain("Husten</textarea>")
  })

  test("issues links to an appointment that overlaps its hold, at most 200, and none once its own link has expired", async () => {
    const world = await makeWorld(server.current)
    const appointment_uid = await world.booked(inDays(1, 9), "p")
    const code = await pageOf(world)
    expect((await world.hold(code, inDays(1, 9), { doctor_uid: world.doctors[1] })).status).toBe(200)
    const manage = () => form(`/meet/booking/${code}/manage`, { action: "cancel", appointment_uid })
    expect((await manage()).headers.get("location")).toStartWith("/meet/appointment/aac_")
    const count = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO action_links (organisation_uid, uid, appointment_uid, action, kind, code_hash, created_at, expires_at, fixed_expiry)
          SELECT ${world.organisation_uid}, 'lnk_' || n, ${appointment_uid}, 'cancel', 'cancel', sha256(convert_to(${code} || n, 'UTF8')),
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
    expect((await manage()).headers.get("location")).toBe(`/meet/booking/${code}`)
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

  test("keeps the format and the reason of an in-person appointment that is moved", async () => {
    const world = await makeWorld(server.current)
    const { key, doctor } = world
    const visit = { shop_customer_id: "mover", meeting_format: "IN_PERSON", visit_reason: "Husten" }
    const { hold_uid } = (await world.holdByKey({ ...visit, start_date: inDays(2, 10) })).body
    await server.current.api("POST", `/v1/scheduling/holds/${hold_uid}/confirm`, { key })
    const address = `/meet/booking/${await world.session("mover", { mode: "rebooking", appointment_uid: hold_uid })}`
    const textOf = async (path = "") => (await server.current.api("GET", `${address}${path}?lang=de`)).text
    expect(await textOf()).toContain("Termin in der Praxis")
    await form(`${address}/hold`, { slot: `${inDays(1, 9)}.${doctor}` })
    expect(await textOf()).toContain("Husten</textarea>")
    const held = /name="hold_uid" value="([^"]+)"/.exec(await textOf())?.[1] ?? ""
    await form(`${address}/confirm`, { hold_uid: held, visit_reason: "Husten" })
    const done = await textOf()
    expect(done).toContain("Termin in der Praxis")
    expect(done).not.toContain("Videosprechstunde")
    expect(await textOf("/appointment.ics")).toContain("LOCATION:Termin in der Praxis")
  })

  test("redirects from the service's own address, with the whole query", async () => {
    const code = await pageOf(await makeWorld(server.current))
    const answer = await server.current.api("GET", `/booking/${code}?lang=en`)
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe(`/meet/booking/${code}?lang=en`)
  })

  test("speaks of moving only where that is offered, and of reminders only where they have the reason", async () => {
    for (const [allow_patient_rebooking, visit_reason_in_messages] of [
      [true, true],
      [false, false]
    ]) {
      const world = await makeWorld(server.current, {
        type: { allow_patient_rebooking },
        organisation: { visit_reason_in_messages }
      })
      const code = await pageOf(world)
      const held = await world.hold(code, inDays(1, 10))
      const read = async () => String((await server.current.api("GET", `/meet/booking/${code}`)).body)
      expect((await read()).includes("Es steht auch in Ihren Terminerinnerungen.")).toBe(
        visit_reason_in_messages === true
      )
      await world.confirm(code, held.body.hold_uid)
      expect((await read()).includes("verschieben")).toBe(allow_patient_rebooking === true)
      expect(await read()).toContain("absagen")
    }
  })

  test("refuses an oversized form", async () => {
    const world = await makeWorld(server.current)
    const answer = await form(`/meet/booking/${await pageOf(world)}/hold`, { slot: "x".repeat(70_000) })
    expect(answer.status).toBe(413)
  })
})

describe("the pages' files", () => {
  test("are compressed and immutable, and the widget is small and readable by every page", async () => {
    const { url } = server.current
    const widget = await fetch(`${url}/meet/booking-widget.js`)
    const script = await widget.text()
    expect(widget.headers.get("content-type")).toContain("text/javascript")
    expect(widget.headers.get("access-control-allow-origin")).toBe("*")
    expect(new TextEncoder().encode(script).length).toBeLessThan(5_000)
    const etag = widget.headers.get("etag") ?? ""
    expect((await fetch(`${url}/meet/booking-widget.js`, { headers: { "if-none-match": etag } })).status).toBe(304)
    const world = await makeWorld(server.current)
    const page = await (await fetch(`${url}/meet/booking/${await pageOf(world)}`)).text()
    for (const [, path] of page.matchAll(/(?:href|src)="(\/meet\/assets\/[^"]+)"/g)) {
      const file = await fetch(url + path)
      expect(file.status).toBe(200)
      expect(file.headers.get("content-encoding")).toBe("br")
      expect(file.headers.get("cache-control")).toContain("immutable")
    }
    expect((await fetch(`${url}/meet/assets/none.js`)).status).toBe(404)
  })
})
