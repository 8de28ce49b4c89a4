/** Pages without a free time or a live session, and those that have ended, offer the next step. Rule 5.5.14. */
import { expect, test } from "bun:test"
import { Effect, Option } from "effect"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { Recalls } from "../../src/services/scheduling/recalls/Recalls.ts"
import { mailsTo, pageLink } from "../support/codes.ts"
import { eventually } from "../support/eventually.ts"
import { openAppointment } from "../support/meetings.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random, type World, type WorldOptions } from "../support/world.ts"

const server = testServer()

const read = async (path: string): Promise<string> => (await server.current.api("GET", path)).text

const send = (path: string, fields: Readonly<Record<string, string>>) =>
  server.current.api("POST", path, { body: new URLSearchParams(fields) })

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

const branding = { phone: "+49 40 66969100" }
const CALL = "Praxis anrufen: +49 40 66969100"

/** The links and buttons of a page's content that look like a step; without the one that applies a choice of zone or doctor. */
const stepsOn = (page: string) =>
  [...page.matchAll(/<(a|button)[^>]* class="(?:primary|secondary|quiet)[^"]*"[^>]*>(.*?)<\/\1>/g)]
    .map(([, , content = ""]) => content.replaceAll(/<[^>]+>/g, "").trim())
    .filter((text) => text !== "Anzeigen")

/** A start within 24 hours, which is offered at once at any time of the day. */
const near = () => Math.ceil((Date.now() / 1000 + 6 * 3600) / 1200) * 1200

type Open = (options?: WorldOptions) => Promise<World>

const cancel = (world: World, uid: string) =>
  world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "ill" })
const expire = (world: World) =>
  server.current.query("UPDATE booking_sessions SET expires_at = to_timestamp(0) WHERE organisation_uid = $1", [
    world.organisation_uid
  ])
const withoutType = (world: World) =>
  world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { active: false })
const ago = { start_date: Math.floor(Date.now() / 1000) - 9000, end_date: Math.floor(Date.now() / 1000) - 7800 }
const noTime = { from: inDays(1) + 60, to: inDays(1) + 120 }
const listed = { doctors: 1, type: { waitlist: true } }

/** The address in the newest mail to a customer. */
const mailed = async (customer: string, path: RegExp) => {
  const found = await eventually(
    async () =>
      (await mailsTo(server.current, `${customer}@example.org`)).map(({ text }) => path.exec(text ?? "")?.[0]),
    (all) => all.some((one) => one !== undefined)
  )
  return `/meet${found.findLast((one) => one !== undefined)}`
}

const waiting = async (world: World, customer: string) => {
  await send(`/meet/booking/${await world.session(customer)}/waitlist`, { action: "ask" })
  return mailed(customer, /\/waitlist\/wle_[\w-]+/)
}

/** The page of an offer, its patient, and the start that it offers. */
const offered = async (world: World) => {
  const [customer, start] = [random("p"), near()]
  const uid = await world.booked(start, random("q"))
  await waiting(world, customer)
  await cancel(world, uid)
  return { page: await mailed(customer, /\/waitlist\/wlo_[\w-]+/), start }
}

const recalled = async (world: World) => {
  const customer = random("p")
  await world.booked(inDays(2), customer)
  const { body } = await world.api("GET", `/v1/management/patients?shop_customer_id=${customer}`)
  const due_date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const recall = { patient_uid: body.data[0].uid, appointment_type_uid: world.type_uid, due_date }
  const { uid } = (await world.api("POST", "/v1/management/scheduling/recalls", recall)).body
  const notice = await server.current.run(
    Effect.flatMap(Recalls, (recalls) =>
      recalls.notice(
        { organisation_uid: OrganisationUid.make(world.organisation_uid), subject_uid: uid },
        { language: "de" }
      )
    )
  )
  return { page: `/meet${/\/recall\/.*/.exec(Option.getOrThrow(notice).values.url)?.[0]}`, customer }
}

/** Every state of a hosted page in which nothing is left to choose, or that has ended, with its steps. */
const ends: ReadonlyArray<readonly [string, (open: Open) => Promise<string>, ReadonlyArray<string>]> = [
  ["no time is free", async (open) => `/meet/booking/${await (await open()).session("p", noTime)}`, [CALL]],
  [
    "no time is free, and there is a waiting list",
    async (open) => `/meet/booking/${await (await open(listed)).session("p", noTime)}`,
    ["Auf die Warteliste"]
  ],
  [
    "no time is free with this choice",
    async (open) =>
      `/meet/booking/${await (await open()).session("p", { from: inDays(1, 6), to: inDays(1, 10) })}?part=evening`,
    ["Alle Termine zeigen"]
  ],
  [
    "the type of appointment is gone",
    async (open) => {
      const world = await open()
      const code = await world.session("p")
      await withoutType(world)
      return `/meet/booking/${code}`
    },
    [CALL]
  ],
  [
    "a partner's session has ended",
    async (open) => {
      const world = await open()
      const code = await world.session("p", { return_url: "https://shop.example/thanks" })
      await expire(world)
      return `/meet/booking/${code}`
    },
    ["Weiter zu shop.example", CALL]
  ],
  [
    "a partner's session without a return address has ended",
    async (open) => {
      const world = await open()
      const code = await world.session("p")
      await expire(world)
      return `/meet/booking/${code}`
    },
    [CALL]
  ],
  ["the practice has no online booking", async (open) => `/meet/book/${(await open()).shop_identifier}`, [CALL]],
  [
    "online booking offers nothing",
    async (open) => {
      const world = await open({ organisation: { public_booking: true } })
      await withoutType(world)
      return `/meet/book/${world.shop_identifier}`
    },
    [CALL]
  ],
  [
    "an appointment is cancelled",
    async (open) => {
      const world = await open()
      const uid = await world.booked(inDays(2, 10), random("p"))
      await cancel(world, uid)
      return pageLink(server.current, uid, "join")
    },
    ["Terminlink per E-Mail anfordern"]
  ],
  [
    "an appointment is over",
    async (open) => {
      const world = await open()
      return pageLink(server.current, await openAppointment(world, "Ada", ago), "join")
    },
    [CALL]
  ],
  [
    "the waiting list is left",
    async (open) => {
      const world = await open(listed)
      const left = await send(await waiting(world, random("p")), { action: "leave" })
      return left.headers.get("location") ?? ""
    },
    [CALL]
  ],
  [
    "a wish of the waiting list is fulfilled",
    async (open) => {
      const world = await open(listed)
      const entry = await waiting(world, random("p"))
      await server.current.query("UPDATE waitlist_entries SET status = 'booked' WHERE organisation_uid = $1", [
        world.organisation_uid
      ])
      return entry
    },
    [CALL]
  ],
  [
    "an offer is declined",
    async (open) => {
      const { page } = await offered(await open(listed))
      await send(page, { action: "decline" })
      return page
    },
    ["Von der Warteliste streichen"]
  ],
  [
    "an offer is lost, and its wish has ended",
    async (open) => {
      const world = await open(listed)
      const { page, start } = await offered(world)
      await world.booked(start, random("q"))
      await server.current.query("UPDATE waitlist_entries SET status = 'ended' WHERE organisation_uid = $1", [
        world.organisation_uid
      ])
      return page
    },
    [CALL]
  ],
  [
    "what an offer has booked is cancelled",
    async (open) => {
      const world = await open(listed)
      const { page } = await offered(world)
      await send(page, { action: "accept" })
      const { body } = await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")
      await cancel(world, body.data[0].uid)
      return page
    },
    [CALL]
  ],
  [
    "a recall is ended",
    async (open) => {
      const { page } = await recalled(await open())
      await send(page, { action: "stop" })
      return page
    },
    [CALL]
  ],
  [
    "a recall is booked",
    async (open) => {
      const world = await open()
      const { page, customer } = await recalled(world)
      await world.booked(inDays(3), customer)
      return page
    },
    [CALL]
  ],
  [
    "a recall's type of appointment is gone",
    async (open) => {
      const world = await open()
      const { page } = await recalled(world)
      await withoutType(world)
      return page
    },
    [CALL]
  ]
]

test.each(ends)("a page on which %s offers the next step; Rule 5.5.14", async (_, make, steps) => {
  const path = await make((options = {}) =>
    makeWorld(server.current, { ...options, organisation: { branding, ...options.organisation } })
  )
  const page = await read(`${path.replace(server.current.url, "")}${path.includes("?") ? "&" : "?"}lang=de`)
  const [, content = ""] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? []
  expect(stepsOn(content)).toEqual([...steps])
})

test("an offer says that its place on the waiting list is kept only while it is", async () => {
  const world = await makeWorld(server.current, listed)
  const { page, start } = await offered(world)
  await world.booked(start, random("q"))
  const shown = () => read(`${page}?lang=de`)
  expect(await shown()).toContain("Sie behalten Ihren Platz")
  for (const [status, text] of [
    ["booked", "Sie haben einen Termin angenommen."],
    ["ended", "Dieser Eintrag ist beendet."],
    ["paused", "Sie haben auf drei Angebote nicht geantwortet."]
  ]) {
    await server.current.query("UPDATE waitlist_entries SET status = $1 WHERE organisation_uid = $2", [
      status,
      world.organisation_uid
    ])
    expect(await shown()).toContain(text ?? "")
    expect(await shown()).not.toContain("Sie behalten Ihren Platz")
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

test("the page of a practice without online booking says that", async () => {
  const world = await makeWorld(server.current)
  expect(await read(`/meet/book/${world.shop_identifier}`)).toContain("bietet hier keine Online-Buchung an")
})
