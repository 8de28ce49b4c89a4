/** Somebody who answers slowly loses nothing (Rule 22.9.8). */
import { expect, test } from "bun:test"
import { mailsTo } from "../../support/codes.ts"
import { arrived } from "../../support/eventually.ts"
import { sandboxServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"
import { clamd } from "./support/clamd.ts"
import { jpegOf } from "./support/pictures.ts"

const scanner = clamd()
const server = sandboxServer({ CLAMAV_URL: `tcp://127.0.0.1:${scanner.port}` })
const MINUTE = 60
const group = (link_id: string) => ({
  link_id: `${link_id}_group`,
  type: "group",
  text: link_id,
  items: [
    { link_id, type: "text", text: link_id, required: true },
    { link_id: `${link_id}_photo`, type: "file", text: "Foto" }
  ]
})

const scene = async () => {
  const organisation = { public_booking: true, branding: { phone: "+49 30 1234" } }
  const world = await makeWorld(server.current, { organisation })
  const form = await world.api("POST", "/v1/management/forms", { title: "Fragen", items: [group("one"), group("two")] })
  const { body: type } = await world.api("POST", "/v1/management/request-types", {
    name: "Überweisung",
    kind: "referral",
    form_uid: form.body.uid,
    answer_within_minutes: 60
  })
  const entry = { form_uid: form.body.uid, rules: [] }
  const sent = await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { entry })
  expect(sent.status).toBe(200)
  return { world, requests: `requests/${type.uid}` }
}

/** Sends a screen with a text and a picture; where it leads. */
const answer = async (at: string, page: number, link_id: string, text: string) => {
  const body = new FormData()
  body.append("shown", `${link_id}_group ${link_id} ${link_id}_photo`)
  body.append(`a.${link_id}`, text)
  body.append(`a.${link_id}_photo`, new File([jpegOf(100)], `${link_id}.jpg`))
  const sent = await fetch(`${server.current.url}${at}?page=${page}`, { method: "POST", body, redirect: "manual" })
  expect(sent.status).toBe(303)
  return sent.headers.get("location") ?? ""
}
const read = async (at: string) => (await server.current.api("GET", at)).text
const minutes = (count: number) => server.current.advance(count * MINUTE)

test.each([["questions"], ["requests"]])(
  "each screen that is stored gives %s more time, up to four hours",
  async (door) => {
    const { world, requests } = await scene()
    const at = `/meet/booking/${await world.session()}/${door === "requests" ? requests : door}`
    for (let screen = 0; screen < 8; screen++) {
      await minutes(29)
      expect(await answer(at, screen % 2, screen % 2 === 0 ? "one" : "two", `Text ${screen}`)).toContain("page=")
    }
    expect(await read(`${at}?page=0`)).toContain("Text 6")
    await minutes(9)
    expect(await read(`${at}?page=0`)).toContain("Hier geht es nur mit einem neuen Link weiter")
  }
)

test.each([["questions"], ["requests"]])(
  "what is sent too late at %s is there when the patient begins again",
  async (door) => {
    const { world, requests } = await scene()
    const below = door === "requests" ? requests : door
    const customer = random("customer")
    const at = `/meet/booking/${await world.session(customer)}/${below}`
    expect(await answer(at, 0, "one", "Rechtzeitig")).toBe(`${at}?page=1`)
    await minutes(31)
    const late = await answer(at, 1, "two", "Verspätet")
    const page = await server.current.api("GET", late)
    expect([page.status, page.text]).toEqual([404, expect.stringContaining("ist einen Tag lang gespeichert")])
    expect(page.text).toContain("+49 30 1234")
    for (const one of ["Rechtzeitig", "Verspätet", "one.jpg"]) expect(page.text).not.toContain(one)
    const check = new URLSearchParams({ action: "send" })
    const sent = await server.current.api("POST", `${at}?page=check`, { body: check })
    expect(sent.headers.get("location")).toBe(at)
    expect((await world.api("GET", "/v1/management/requests")).body.data).toEqual([])
    const other = `/meet/booking/${await world.session(random("customer"))}/${below}?page=0`
    expect(await read(other)).not.toContain("Rechtzeitig")
    const again = `/meet/booking/${await world.session(customer)}/${below}`
    expect(await read(`${again}?page=0`)).toContain("Rechtzeitig")
    const summary = await read(`${again}?page=check`)
    for (const one of ["Rechtzeitig", "Verspätet", "one.jpg", "two.jpg"]) expect(summary).toContain(one)
    const done = await server.current.api("POST", `${again}?page=check`, { body: check })
    expect(done.headers.get("location")).not.toContain("notice=")
  }
)

test("answers that led to an appointment stay its own, also where they were begun again", async () => {
  const { world } = await scene()
  const customer = random("customer")
  const code = await world.session(customer)
  const answers = { one: "Zuerst", two: "Dann" }
  const entry = `/v1/scheduling/booking-sessions/${code}/entry`
  expect((await server.current.api("PUT", entry, { body: { answers } })).status).toBe(200)
  const held = await world.hold(code, inDays(5, 9))
  const booked = await world.confirm(code, held.body.hold_uid)
  await answer(`/meet/booking/${code}/questions`, 0, "one", "Berichtigt")
  await minutes(40)
  const again = `/meet/booking/${await world.session(customer)}/questions?page=0`
  expect(await read(again)).not.toContain("Berichtigt")
  const kept = await world.api("GET", `/v1/management/scheduling/appointments/${booked.body.uid}/intake`)
  expect(kept.body.data).toMatchObject([{ door: "entry", answers: { one: "Berichtigt", two: "Dann" } }])
})

test("answers to another form are none of the one that is asked now", async () => {
  const { world } = await scene()
  const customer = random("customer")
  await answer(`/meet/booking/${await world.session(customer)}/questions`, 0, "one", "Zur alten Frage")
  const items = [{ link_id: "one", type: "text", text: "Ganz anderes" }]
  const other = await world.api("POST", "/v1/management/forms", { title: "Andere Fragen", items })
  const entry = { form_uid: other.body.uid, rules: [] }
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { entry })
  await minutes(31)
  const page = await read(`/meet/booking/${await world.session(customer)}/questions?page=0`)
  expect(page).toContain("Ganz anderes")
  expect(page).not.toContain("Zur alten Frage")
})

test("a session that a link of an appointment opened does not begin with it", async () => {
  const { world, requests } = await scene()
  const customer = random("customer")
  await answer(`/meet/booking/${await world.session(customer)}/${requests}`, 0, "one", "Rechtzeitig")
  await minutes(31)
  const code = await world.session(customer)
  await server.current.query(
    "UPDATE booking_sessions SET link_kind = 'page' WHERE organisation_uid = $1 AND expires_at > $2",
    [world.organisation_uid, new Date((await server.current.now()) * 1000)]
  )
  expect(await read(`/meet/booking/${code}/${requests}?page=0`)).not.toContain("Rechtzeitig")
})

test("without a partner the page leads to a new code, and the draft is there", async () => {
  const { world, requests } = await scene()
  const book = `/meet/book/${world.shop_identifier}/requests`
  const email = `${random("eva")}@example.org`
  const codes = new Set<string>()
  /** A code that was not entered yet. */
  const newCode = async () => {
    const mails = await mailsTo(server.current, email)
    return mails.flatMap(({ subject }) => /\d{6}/.exec(subject ?? "")?.[0] ?? []).filter((code) => !codes.has(code))
  }
  const open = async () => {
    const person = { first_name: "Eva", last_name: "Muster", date_of_birth: "1980-05-04", email }
    const begun = await server.current.api("POST", book, { body: new URLSearchParams(person) })
    const at = begun.headers.get("location") ?? ""
    const token = new URL(at, server.current.url).searchParams.get("token") ?? ""
    const [code = ""] = await arrived(newCode)
    codes.add(code)
    const entered = await server.current.api("POST", at, { body: new URLSearchParams({ token, code }) })
    return /\/booking\/[^/?]+/.exec(entered.headers.get("location") ?? "")?.[0] ?? ""
  }
  const at = `/meet${await open()}/${requests}`
  await minutes(40)
  const ended = await read(await answer(at, 0, "one", "Lange geschrieben"))
  expect(ended).toContain(`href="${book}"`)
  const again = await open()
  expect(again).not.toBe("")
  expect(await read(`/meet${again}/${requests}?page=0`)).toContain("Lange geschrieben")
})
