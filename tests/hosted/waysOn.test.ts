/** Pages without a free time or a live session offer the next step. Rule 5.5.14. */
import { expect, test } from "bun:test"
import { mailsTo } from "../support/codes.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

const read = async (path: string): Promise<string> => (await server.current.api("GET", path)).body

const send = (path: string, fields: Readonly<Record<string, string>>) =>
  server.current.api("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString()
  })

test("a choice without a free time says so, and offers all times", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session("p", { from: inDays(1, 6), to: inDays(1, 10) })
  const page = await read(`/meet/booking/${code}?part=evening&lang=de`)
  expect(page).toContain("Mit dieser Auswahl sind keine Termine frei.")
  expect(page).toContain(`href="/meet/booking/${code}?lang=de&amp;step=times"`)
  expect(page).not.toContain("Zurzeit sind keine Termine frei")
})

test("a lapsed session of public booking begins again; a partner's leads back to the partner alone", async () => {
  const world = await makeWorld(server.current, { organisation: { public_booking: true } })
  const email = `${random("eva")}@example.org`
  const book = `/meet/book/${world.shop_identifier}`
  const person = { first_name: "Eva", last_name: "Muster", date_of_birth: "1980-05-04", email }
  const begun = await send(book, { appointment_type_uid: world.type_uid, meeting_format: "DIGITAL", ...person })
  const token = new URL(begun.headers.get("location") ?? "", server.current.url).searchParams.get("token") ?? ""
  const [mail] = await mailsTo(server.current, email)
  const entered = await send(`${book}/code`, { token, code: /\d{6}/.exec(mail?.subject ?? "")?.[0] ?? "" })
  const own = entered.headers.get("location") ?? ""
  const partners = `/meet/booking/${await world.session("p", { from: inDays(1), to: inDays(2) })}`
  await server.current.query("UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = $1", [
    world.organisation_uid
  ])
  expect(await read(own)).toContain(`href="${book}"`)
  expect(await read(partners)).not.toContain("/meet/book/")
})

test("the page of a practice without online booking says that", async () => {
  const world = await makeWorld(server.current)
  expect(await read(`/meet/book/${world.shop_identifier}`)).toContain("bietet hier keine Online-Buchung an")
})

test("where nothing can be done on the page, the practice's telephone is the next step, if there is one", async () => {
  const branding = { phone: "+49 40 66969100" }
  const full = { duration_minutes: 480, booking_min_notice_minutes: 52_560_000 }
  const button = '<a class="secondary" href="tel:+494066969100">Praxis anrufen: <bdi>+49 40 66969100</bdi></a>'
  const pagesOf = async (organisation: Readonly<Record<string, unknown>>) => {
    const world = await makeWorld(server.current, {
      organisation: { public_booking: true, ...organisation },
      type: full
    })
    const session = await world.session("p", { from: inDays(1), to: inDays(2) })
    const times = await read(`/meet/booking/${session}?lang=de`)
    await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { active: false })
    const gone = await read(`/meet/booking/${session}?lang=de`)
    const nothing = await read(`/meet/book/${world.shop_identifier}?lang=de`)
    expect(times).toContain("Zurzeit sind keine Termine frei")
    expect(gone).toContain("wird nicht")
    expect(nothing).toContain("kein Termin")
    return [times, gone, nothing]
  }
  for (const page of await pagesOf({ branding })) expect(page).toContain(button)
  for (const page of await pagesOf({})) expect(page).not.toContain("Praxis anrufen")
})
