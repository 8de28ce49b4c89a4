/** Pages without a free time or a live session, and those that have ended, offer the next step. Rule 5.5.14. */
import { expect, test } from "bun:test"
import { mailsTo, pageLink } from "../support/codes.ts"
import { openAppointment } from "../support/meetings.ts"
import { stored } from "../support/records.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World, type WorldOptions } from "../support/world.ts"
import { offered, recalled, waiting } from "./mailed.ts"

const server = testServer()

const read = async (path: string): Promise<string> => (await server.current.api("GET", path)).text

const send = (path: string, fields: Readonly<Record<string, string>>) =>
  server.current.api("POST", path, { body: new URLSearchParams(fields) })

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
  await expire(world)
  expect(await read(own)).toContain(`href="${book}"`)
  expect(await read(partners)).not.toContain("/meet/book/")
})

const branding = { phone: "+49 40 66969100" }
const CALL = "Praxis anrufen: +49 40 66969100"

/** The links and buttons of a page's content that look like a step; without the one that applies a choice of zone or doctor. */
const stepsOn = (page: string) =>
  [...page.matchAll(/<(a|button)[^>]* class="(?:primary|secondary|quiet)[^"]*"[^>]*>(.*?)<\/\1>/g)]
    .map(([, , content = ""]) => content.replaceAll(/<[^>]+>/g, "").trim())
    .filter((text) => text !== "Anzeigen")

/** A world whose practice has a telephone. */
const open = (options: WorldOptions = {}) =>
  makeWorld(server.current, { ...options, organisation: { branding, ...options.organisation } })

const cancel = (world: World, uid: string) => world.run(world.practice.cancel(uid))
const expire = ({ organisation_uid }: World) =>
  server.current
    .sql`UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = ${organisation_uid}`
const withoutType = (world: World) =>
  world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { active: false })
const ago = { start_date: Math.floor(Date.now() / 1000) - 9000, end_date: Math.floor(Date.now() / 1000) - 7800 }
const noTime = { from: inDays(1) + 60, to: inDays(1) + 120 }
const listed = { doctors: 1, type: { waitlist: true } }

const recall = async (world: World, customer = random("p")) => {
  const { patient_uid } = await stored(server.current, await world.booked(inDays(2), customer))
  return recalled(server.current, world, String(patient_uid))
}
const setEntries = (world: World, status: string) =>
  server.current.sql`UPDATE waitlist_entries SET status = ${status} WHERE organisation_uid = ${world.organisation_uid}`

const bookingOf = async (world: World, body = {}) => `/meet/booking/${await world.session("p", body)}`

/** Every state of a hosted page in which nothing is left to choose, or that has ended: the page, and its steps if not a call alone. */
const ends: Readonly<Record<string, () => Promise<readonly [page: string, ...steps: ReadonlyArray<string>]>>> = {
  "no time is free": async () => [await bookingOf(await open(), noTime)],
  "no time is free, and there is a waiting list": async () => [
    await bookingOf(await open(listed), noTime),
    "Auf die Warteliste"
  ],
  "no time is free with this choice": async () => {
    const page = await bookingOf(await open(), { from: inDays(1, 6), to: inDays(1, 10) })
    return [`${page}?part=evening`, "Alle Termine zeigen"]
  },
  "the type of appointment is gone": async () => {
    const world = await open()
    const page = await bookingOf(world)
    await withoutType(world)
    return [page]
  },
  "a partner's session has ended": async () => {
    const world = await open()
    const page = await bookingOf(world, { return_url: "https://shop.example/thanks" })
    await expire(world)
    return [page, "Weiter zu shop.example", CALL]
  },
  "a partner's session without a return address has ended": async () => {
    const world = await open()
    const page = await bookingOf(world)
    await expire(world)
    return [page]
  },
  "the practice has no online booking": async () => [`/meet/book/${(await open()).shop_identifier}`],
  "online booking offers nothing": async () => {
    const world = await open({ organisation: { public_booking: true } })
    await withoutType(world)
    return [`/meet/book/${world.shop_identifier}`]
  },
  "an appointment is cancelled": async () => {
    const world = await open()
    const uid = await world.booked(inDays(2, 10), random("p"))
    await cancel(world, uid)
    return [await pageLink(server.current, uid, "join"), "Terminlink per E-Mail anfordern"]
  },
  "an appointment is over": async () => {
    const uid = await openAppointment(await open(), "Ada", ago)
    return [await pageLink(server.current, uid, "join")]
  },
  "the waiting list is left": async () => {
    const left = await send(await waiting(server.current, await open(listed)), { action: "leave" })
    return [left.headers.get("location") ?? ""]
  },
  "a wish of the waiting list is fulfilled": async () => {
    const world = await open(listed)
    const entry = await waiting(server.current, world)
    await setEntries(world, "booked")
    return [entry]
  },
  "an offer is declined": async () => {
    const { page } = await offered(server.current, await open(listed))
    await send(page, { action: "decline" })
    return [page, "Von der Warteliste streichen"]
  },
  "an offer is lost, and its wish has ended": async () => {
    const world = await open(listed)
    const { page, start } = await offered(server.current, world)
    await world.booked(start, random("q"))
    await setEntries(world, "ended")
    return [page]
  },
  "what an offer has booked is cancelled": async () => {
    const world = await open(listed)
    const { page } = await offered(server.current, world)
    await send(page, { action: "accept" })
    const { body } = await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")
    await cancel(world, body.data[0].uid)
    return [page]
  },
  "a recall is ended": async () => {
    const page = await recall(await open())
    await send(page, { action: "stop" })
    return [page]
  },
  "a recall is booked": async () => {
    const world = await open()
    const customer = random("p")
    const page = await recall(world, customer)
    await world.booked(inDays(3), customer)
    return [page]
  },
  "a recall's type of appointment is gone": async () => {
    const world = await open()
    const page = await recall(world)
    await withoutType(world)
    return [page]
  }
}

test.each(Object.entries(ends))("a page on which %s offers the next step; Rule 5.5.14", async (_, make) => {
  const [path, ...steps] = await make()
  const page = await read(`${path.replace(server.current.url, "")}${path.includes("?") ? "&" : "?"}lang=de`)
  const [, content = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? []
  expect(stepsOn(content)).toEqual(steps.length > 0 ? steps : [CALL])
})

test.each(["PATCH", "DELETE"])("a form of a type that is gone by %s leads to a page that says so", async (method) => {
  const world = await open()
  const page = await bookingOf(world)
  await world.api(method, `/v1/management/scheduling/appointment-types/${world.type_uid}`, { active: false })
  const { headers } = await send(`${page}/hold`, { slot: `${inDays(1, 9)}.${world.doctor}` })
  for (const path of [headers.get("location") ?? "", page])
    expect(await read(path)).toContain("Diese Terminart wird nicht mehr angeboten")
})

test("an offer says that its place on the waiting list is kept only while it is", async () => {
  const world = await makeWorld(server.current, listed)
  const { page, start } = await offered(server.current, world)
  await world.booked(start, random("q"))
  const shown = () => read(`${page}?lang=de`)
  expect(await shown()).toContain("Sie behalten Ihren Platz")
  for (const [status, text] of [
    ["booked", "Sie haben einen Termin angenommen."],
    ["ended", "Dieser Eintrag ist beendet."],
    ["paused", "Sie haben auf drei Angebote nicht geantwortet."]
  ] as const) {
    await setEntries(world, status)
    const page = await shown()
    expect([status, page.includes(text), page.includes("Sie behalten Ihren Platz")]).toEqual([status, true, false])
  }
})

test("a practice without a telephone is written to, if it has a mail address for questions", async () => {
  const pageOf = async (organisation: Readonly<Record<string, unknown>>) => {
    const world = await makeWorld(server.current, { organisation })
    return read(`/meet/booking/${await world.session("p", noTime)}?lang=de`)
  }
  expect(stepsOn(await pageOf({ branding: { support_email: "help@example.org" } }))).toEqual([
    "E-Mail an die Praxis: help@example.org"
  ])
  expect(stepsOn(await pageOf({}))).toEqual([])
})
