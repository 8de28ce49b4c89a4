/** Booking without a partner, with concurrent requests. Section 5.8. */
import { describe, expect, test } from "bun:test"
import { Effect, Option } from "effect"
import { Client } from "pg"
import { paces } from "../../../src/capabilities/public-booking/services/codePace.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { Recipients } from "../../../src/services/notifications/Recipients.ts"
import { issuedCode, mailsTo } from "../../support/codes.ts"
import { arrived, eventually } from "../../support/eventually.ts"
import { ownServer } from "../../support/server.ts"
import { CONSULTATION, inDays, makeWorld, random, type World } from "../../support/world.ts"

/** Requests come through a proxy, so that a test chooses the address that they come from. */
const server = ownServer({ TRUSTED_PROXIES: "127.0.0.1, ::1" })

const open = () => makeWorld(server.current, { organisation: { public_booking: true } })

const send = (world: World, path: string, fields: Readonly<Record<string, string>>, from?: string) =>
  server.current.api("POST", `/meet/book/${world.shop_identifier}${path}`, {
    headers: from === undefined ? {} : { "x-forwarded-for": from },
    body: new URLSearchParams(fields)
  })

const begin = (world: World, email: string, more: Readonly<Record<string, string>> = {}, from?: string) => {
  const person = { first_name: "Eva", last_name: "Muster", date_of_birth: "1980-05-04", email }
  return send(world, "", { appointment_type_uid: world.type_uid, meeting_format: "DIGITAL", ...person, ...more }, from)
}

/** What a redirect says has happened to the form. */
const noticeIn = ({ headers }: Awaited<ReturnType<typeof send>>) =>
  new URL(headers.get("location") ?? "", server.current.url).searchParams.get("notice")

const tokenIn = (location: string | null) => new URL(location ?? "", server.current.url).searchParams.get("token") ?? ""

/** Requests a code and waits for its mail. */
const requestBooking = async (
  world: World,
  more: Readonly<Record<string, string>> = {},
  email = `${random("eva")}@example.org`
) => {
  const before = (await mailsTo(server.current, email)).map(({ messageId }) => messageId)
  const token = tokenIn((await begin(world, email, more)).headers.get("location"))
  const [mail] = await arrived(async () =>
    (await mailsTo(server.current, email)).filter(({ messageId }) => !before.includes(messageId))
  )
  const code = /\d{6}/.exec(mail?.subject ?? "")?.[0] ?? ""
  return { email, token, code, enter: () => send(world, "/code", { token, code }) }
}

const rows = (world: World, table: "booking_sessions" | "patients") =>
  server.current.query(`SELECT 1 FROM ${table} WHERE organisation_uid = $1`, [world.organisation_uid])

describe("codes", () => {
  // Shows: guessing and flooding
  test("are limited per mail address, even when they are requested concurrently; Rule 5.8.4", async () => {
    const world = await open()
    const email = `${random("eva")}@example.org`
    const answers = await Promise.all(Array.from({ length: 12 }, () => begin(world, email)))
    expect(answers.filter((answer) => noticeIn(answer) === null)).toHaveLength(3)
    expect(await arrived(() => mailsTo(server.current, email), 3)).toHaveLength(3)
  })

  /** Stores this many codes of this minute like the first one, each from a network of its own within the site or the provider of the last one. */
  const copied = (world: World, count: number, within: "network" | "site" | "provider" | "practice") =>
    server.current.query(
      `INSERT INTO public_bookings (organisation_uid, uid, token_hash, mail_hash, network_hash, site_hash,
            provider_hash, attempts, entered, created_at, expires_at)
          SELECT organisation_uid, gen_random_uuid(), token_hash, own,
            CASE WHEN $2 = 'network' THEN network_hash ELSE own END,
            CASE WHEN $2 IN ('network', 'site') THEN site_hash ELSE own END,
            CASE WHEN $2 = 'practice' THEN own ELSE provider_hash END, 0, entered, created_at, expires_at
          FROM (SELECT * FROM public_bookings WHERE organisation_uid = $1 LIMIT 1) one,
            (SELECT decode(md5(n::text), 'hex') AS own FROM generate_series(1, $3::integer) n) others
          ON CONFLICT DO NOTHING -- never; without it a cluster copies them in, past row-level security`,
      [world.organisation_uid, within, count]
    )
  const from = "198.51.100.1"
  const stranger = (world: World) => begin(world, `${random("eva")}@example.org`, {}, from)
  /** Seconds from each request to the time at which its code is mailed, in the order of the requests; null: never. */
  const waits = async (world: World): Promise<ReadonlyArray<number | null>> =>
    (
      await server.current.query(
        `SELECT extract(epoch FROM mail_at - created_at)::int AS wait FROM public_bookings
          WHERE organisation_uid = $1 AND uid LIKE 'pbr%' ORDER BY created_at, mail_at`,
        [world.organisation_uid]
      )
    ).map((row) => (row as { wait: number | null }).wait)

  // Shows: guessing and flooding
  test.each(["network", "site", "provider", "practice"] as const)(
    "beyond the pace of a %s are mailed one after the other, and every form is answered at once; Rule 5.8.4",
    async (scope) => {
      const world = await open()
      await stranger(world)
      await copied(world, 300, scope)
      for (let form = 0; form < 3; form++) expect((await stranger(world)).status).toBe(303)
      const { seconds } = paces[scope]
      expect((await waits(world))[0]).toBe(0)
      const [gap] = await server.current.query(
        `SELECT min(gap)::float8 AS gap, count(gap)::int AS count FROM (
            SELECT extract(epoch FROM mail_at - lag(mail_at) OVER (ORDER BY mail_at)) AS gap
            FROM public_bookings WHERE organisation_uid = $1 AND uid LIKE 'pbr%') gaps`,
        [world.organisation_uid]
      )
      expect(gap).toMatchObject({ count: 3 })
      expect((gap as { gap: number }).gap).toBeGreaterThanOrEqual(seconds)
    }
  )

  // Shows: guessing and flooding
  test("say by no answer whether somebody is a patient, also where a code would wait too long; Rule 5.8.4", async () => {
    const world = await open()
    const { email, enter } = await requestBooking(world)
    expect((await enter()).status).toBe(303)
    await copied(world, 400, "practice")
    // nobody else's turn comes within half an hour
    await server.current.query(
      `UPDATE public_bookings SET mail_at = created_at + interval '1 hour', entered = false, mail_hash = ''
        WHERE organisation_uid = $1`,
      [world.organisation_uid]
    )
    const answers = [await begin(world, email), await begin(world, `${random("eva")}@example.org`)]
    const forms = answers.map(({ status, headers }) => [
      status,
      (headers.get("location") ?? "").replace(/token=[\w-]+/, "token")
    ])
    expect(forms[0]).toEqual(forms[1])
    expect((await waits(world)).filter((wait) => wait !== 3_600)).toEqual([0, null])
    expect(await arrived(() => mailsTo(server.current, email), 2)).toHaveLength(2)
  })

  test("that were entered do not count; Rule 5.8.4", async () => {
    const world = await open()
    expect((await (await requestBooking(world)).enter()).status).toBe(303)
    await copied(world, 300, "network")
    await begin(world, `${random("eva")}@example.org`)
    expect((await waits(world)).at(-1)).toBe(0)
  })

  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  // Shows: a patient who books every free time
  test("to a verified address or a known patient are mailed at once, whatever others do; Rule 5.8.4", async () => {
    const world = await open()
    const { email, enter } = await requestBooking(world)
    expect((await enter()).status).toBe(303)
    await copied(world, 400, "practice")
    await server.current.query(
      `UPDATE public_bookings SET mail_at = created_at + interval '1 hour', entered = false
        WHERE organisation_uid = $1 AND uid NOT LIKE 'pbr%'`,
      [world.organisation_uid]
    )
    expect((await begin(world, email, { last_name: "Other" })).status).toBe(303)
    await server.current.query("UPDATE public_bookings SET mail_hash = '' WHERE organisation_uid = $1", [
      world.organisation_uid
    ])
    expect((await begin(world, email)).status).toBe(303)
    expect((await arrived(() => mailsTo(server.current, email), 3)).length).toBe(3)
  })

  test("to an address that takes no mail are given up, and said so where a code is entered; Rule 5.8.9", async () => {
    const world = await open()
    const token = tokenIn((await begin(world, `${random("eva")}@example.invalid`)).headers.get("location"))
    await eventually(
      () =>
        server.current.query("SELECT mail_refused FROM public_bookings WHERE organisation_uid = $1", [
          world.organisation_uid
        ]),
      ([row]) => (row as { mail_refused: boolean }).mail_refused
    )
    const answer = await send(world, "/code", { token, code: "abc" })
    expect(noticeIn(answer)).toBe("noMail")
  })

  // Shows: mails in the practice's name with text of a stranger
  test("are mailed without any text of the requester", async () => {
    const world = await open()
    const email = `${random("eva")}@example.org`
    await begin(world, email, { first_name: "You have won: https://prize.example", last_name: "Dear customer" })
    const [mail] = await arrived(() => mailsTo(server.current, email))
    expect(mail?.subject).toMatch(/\d{6}/)
    expect(`${mail?.text} ${mail?.html} ${JSON.stringify(mail?.to)}`).not.toMatch(/prize|customer/)
  })
})

test("the form exists only where the organisation has it, and ignores fields that it does not have", async () => {
  const without = await makeWorld(server.current)
  expect((await server.current.api("GET", `/meet/book/${without.shop_identifier}`)).status).toBe(404)
  const refused = await begin(without, `${random("eva")}@example.org`)
  const { body } = await server.current.api("GET", refused.headers.get("location") ?? "")
  expect(body).toContain("bietet hier keine Online-Buchung an")
  // Filled in by a program that fills in every field, as a browser does for its owner
  const email = `${random("eva")}@example.org`
  expect((await begin(await open(), email, { leave_empty: "https://x.example" })).status).toBe(303)
  expect(await arrived(() => mailsTo(server.current, email), 1)).toHaveLength(1)
})

test("the form has no choice made in advance among several types, and none of the format", async () => {
  const world = await open()
  const checked = async () => {
    const { text } = await server.current.api("GET", `/meet/book/${world.shop_identifier}`)
    return [...text.matchAll(/<input[^>]*type="radio"[^>]*name="(\w+)"[^>]*\bchecked/g)].map(([, name]) => name)
  }
  expect(await checked()).toEqual(["type"])
  const { organisation_uid } = world
  await world.provision({
    appointment_types: [{ uid: random("aty"), organisation_uid, name: "Second opinion", ...CONSULTATION }]
  })
  expect(await checked()).toEqual([])
})

describe("times come first; Rule 5.8.11:", () => {
  const timesOf = async (world: World) => {
    const query = new URLSearchParams({ type: world.type_uid, format: "IN_PERSON" })
    const { text } = await server.current.api("GET", `/meet/book/${world.shop_identifier}?${query}`)
    return { text, slots: [...text.matchAll(/name="slot" value="(\d+\.[^"]+)"/g)].map(([, slot = ""]) => slot) }
  }

  test("nothing is asked before them, and the chosen one is held as soon as the code is entered", async () => {
    const world = await open()
    const { text, slots } = await timesOf(world)
    // of the first day: late in the evening they are few
    expect(slots.length).toBeGreaterThan(0)
    expect(text).not.toContain("first_name")
    const slot = slots.at(-1) ?? ""
    const pressed = await send(world, `/time?type=${world.type_uid}&format=IN_PERSON`, { slot })
    const form = await server.current.api("GET", pressed.headers.get("location") ?? "")
    expect(form.text).toContain(`name="slot" value="${slot}"`)
    expect(form.text).toContain('class="moment"')
    const { enter } = await requestBooking(world, { slot, meeting_format: "IN_PERSON" })
    // nothing is held before
    expect((await timesOf(world)).slots).toContain(slot)
    const session = (await enter()).headers.get("location") ?? ""
    const details = await server.current.api("GET", session)
    expect(details.text).toContain("hold_uid")
    const [held] = (await world.api("GET", "/v1/management/scheduling/appointments?status=held")).body.data
    expect(`${held.start_date}.${held.doctor_uid}`).toBe(slot)
    expect(held.meeting_format).toBe("IN_PERSON")
    // a second tap leads to the same page
    expect((await enter()).headers.get("location")).toBe(session)
  })

  test("who was too late is shown the other times", async () => {
    const world = await open()
    const [slot = ""] = (await timesOf(world)).slots
    const { enter } = await requestBooking(world, { slot })
    const [start, doctor_uid] = [Number(slot.split(".")[0]), slot.slice(slot.indexOf(".") + 1)]
    const other = { patient_uid: await world.patient(), doctor_uid, start_date: start }
    expect((await world.bookByKey(other)).status).toBe(201)
    const late = (await enter()).headers.get("location") ?? ""
    expect(new URL(late, server.current.url).searchParams.get("notice")).toBe("taken")
    expect((await server.current.api("GET", late)).text).toContain("wurde gerade vergeben")
  })

  test("a refused form keeps its time; without one it leads to the times after the code", async () => {
    const world = await open()
    const [slot = ""] = (await timesOf(world)).slots
    const refused = await begin(world, "nobody", { slot })
    const page = await server.current.api("GET", refused.headers.get("location") ?? "")
    expect(page.text).toContain(`name="slot" value="${slot}"`)
    const { enter } = await requestBooking(world)
    expect((await server.current.api("GET", (await enter()).headers.get("location") ?? "")).text).toContain(
      'name="slot"'
    )
  })
})

test("a name is a single line", async () => {
  const world = await open()
  const answer = await begin(world, `${random("eva")}@example.org`, { last_name: "Muster\n\nPlease sign in again" })
  expect(noticeIn(answer)).toBe("invalid")
})

describe("two people with one mailbox and one name; Rule 5.8.3", () => {
  const book = async (world: World, email: string, more: Readonly<Record<string, string>>) => {
    expect((await (await requestBooking(world, more, email)).enter()).status).toBe(303)
    return rows(world, "patients")
  }

  test("are two patients, told apart by their dates of birth; each is the same one again", async () => {
    const world = await open()
    const email = `${random("muster")}@example.org`
    expect(await book(world, email, { date_of_birth: "1955-01-01" })).toHaveLength(1)
    expect(await book(world, email, { date_of_birth: "1990-01-01" })).toHaveLength(2)
    expect(await book(world, email, { date_of_birth: "1955-01-01" })).toHaveLength(2)
    // booked by somebody else with the same mailbox
    const relative = { relative_first_name: "eva", relative_last_name: "muster", relative_date_of_birth: "1990-01-01" }
    expect(await book(world, email, { first_name: "Max", date_of_birth: "", ...relative })).toHaveLength(2)
  })

  test("are asked for the date of birth", async () => {
    const world = await open()
    const answer = await begin(world, `${random("eva")}@example.org`, { date_of_birth: "" })
    const { body } = await server.current.api("GET", answer.headers.get("location") ?? "")
    expect(body).toContain("Bitte geben Sie das Geburtsdatum an")
    expect(body).toContain('value="Muster"')
  })
})

describe("a code", () => {
  test("opens one session, however often it is entered concurrently; Rule 5.8.2", async () => {
    const world = await open()
    const { enter } = await requestBooking(world)
    const answers = await Promise.all(Array.from({ length: 5 }, enter))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303))
    expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1)
    expect(await rows(world, "booking_sessions")).toHaveLength(1)
  })

  /** The launch code of a booking session that a code has opened, and the address to which it was mailed. */
  const launched = async (world: World) => {
    const { email, enter } = await requestBooking(world)
    const { headers } = await enter()
    return {
      email,
      launch: new URL(headers.get("location") ?? "", server.current.url).pathname.split("/").at(-1) ?? ""
    }
  }
  const book = (launch: string, start_date: number) =>
    server.current.api("POST", `/v1/scheduling/booking-sessions/${launch}/appointments`, { body: { start_date } })
  const further = { status: 400, body: { code: "too_many_appointments" } }

  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  // Shows: a patient who books every free time
  test("opens a session for one appointment at a time; Rule 5.8.2", async () => {
    const world = await open()
    const { launch } = await launched(world)
    expect((await book(launch, inDays(3, 9))).status).toBe(201)
    expect(await book(launch, inDays(3, 10))).toMatchObject(further)
    expect(await world.hold(launch, inDays(3, 11))).toMatchObject(further)
  })

  test("opens a session for one appointment, also when another time is held during its confirmation; Rule 5.8.2", async () => {
    const world = await open()
    const { launch } = await launched(world)
    const { hold_uid } = (await world.hold(launch, inDays(3, 9))).body
    const database = new Client({ connectionString: server.current.databaseUrl })
    await database.connect()
    const blocked = "SELECT pid FROM pg_stat_activity s WHERE $1 = ANY (pg_blocking_pids(pid))"
    const waitingFor = async (pid: number, condition = "") =>
      (await database.query(`${blocked} ${condition}`, [pid])).rows
    // The confirmation has changed the hold, and stops before its event is appended
    await database.query("BEGIN")
    await database.query("LOCK TABLE events IN EXCLUSIVE MODE")
    const own = (await database.query("SELECT pg_backend_pid() AS pid")).rows[0].pid
    const confirmed = world.confirm(launch, hold_uid)
    const [confirming] = await arrived(
      () => waitingFor(own, "AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = s.pid AND locktype = 'advisory')"),
      1
    )
    const held = world.hold(launch, inDays(3, 10), { doctor_uid: world.doctors[1] })
    await arrived(() => waitingFor(confirming.pid), 1)
    await database.query("COMMIT")
    await database.end()
    expect((await confirmed).status).toBe(200)
    expect(await held).toMatchObject(further)
  })

  // Shows: a patient who books every free time
  test("opens a session for one appointment, also when that was moved since; Rule 5.8.2", async () => {
    const world = await open()
    const { launch } = await launched(world)
    const { uid } = (await book(launch, inDays(3, 9))).body
    const action = `/v1/scheduling/appointment-actions/${await issuedCode(server.current, world, uid, "rebook")}/rebook-session`
    const moving = (await server.current.api("POST", action, { body: {} })).body.booking_launch_code
    const moved = await book(moving, inDays(3, 10))
    expect(moved.status).toBe(201)
    expect(await book(launch, inDays(3, 11))).toMatchObject(further)
    const cancel = `/v1/management/scheduling/appointments/${moved.body.uid}/cancel`
    expect((await world.api("POST", cancel, { reason: "ill" })).status).toBe(200)
    expect(await book(launch, inDays(3, 11))).toMatchObject({ status: 201 })
  })

  test("books again by a mail from the page of a cancelled appointment, one appointment at a time; Rules 5.4.16, 5.8.2", async () => {
    const world = await open()
    const { email, launch } = await launched(world)
    const { uid } = (await book(launch, inDays(3, 9))).body
    const [code, other] = [
      await issuedCode(server.current, world, uid, "page"),
      await issuedCode(server.current, world, uid, "page")
    ]
    await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/cancel`, { body: {} })
    /** The launch code in the mail that the page sends. */
    const again = async (by: string) => {
      const before = (await mailsTo(server.current, email)).length
      const body = new URLSearchParams({ action: "again" })
      const answer = await server.current.api("POST", `/meet/appointment/${by}`, { body })
      expect(answer.headers.get("location")).toBe(`/meet/appointment/${by}?notice=mailed`)
      const mails = (await mailsTo(server.current, email)).map(
        ({ text }) => /\/booking\/(blc_[\w-]+)/.exec(text ?? "")?.[1]
      )
      return { sent: mails.length - before, codes: mails.flatMap((one) => one ?? []) }
    }
    const first = await again(code)
    expect([first.sent, (await again(code)).sent]).toEqual([1, 0])
    expect((await book(first.codes[0] ?? "", inDays(3, 9))).status).toBe(201)
    const second = (await again(other)).codes.find((one) => one !== first.codes[0])
    expect(await book(second ?? "", inDays(3, 10))).toMatchObject(further)
    expect((await book(launch, inDays(3, 11))).status).toBe(201)
  })

  /** To whom messages about the practice's only patient go. */
  const recipientOf = async (world: World) => {
    const [patient] = (await world.api("GET", "/v1/management/patients")).body.data
    const find = Effect.flatMap(Recipients, (recipients) =>
      recipients.find(OrganisationUid.make(world.organisation_uid), "patient", patient.uid)
    )
    return Option.getOrThrow(await server.current.run(Effect.provide(find, Recipients.Default)))
  }

  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  test("does not verify the typed telephone number: no text message is sent to it; Rule 5.8.5", async () => {
    const world = await open()
    const { email, enter } = await requestBooking(world, { phone: "+49 30 1234567" })
    await enter()
    expect(await recipientOf(world)).toMatchObject({ email, phone: null })
  })

  test("for a child is followed by messages that greet whoever booked; Rule 5.8.3", async () => {
    const world = await open()
    const relative = { relative_first_name: "Kim", relative_last_name: "Muster", relative_date_of_birth: "2020-05-04" }
    const { email, enter } = await requestBooking(world, relative)
    await enter()
    expect(await recipientOf(world)).toMatchObject({ email, display_name: "Eva Muster" })
  })

  test("creates no patient for a type deleted since, and stays valid; Rule 5.8.2", async () => {
    const world = await open()
    const { enter } = await requestBooking(world)
    const type = `/v1/management/scheduling/appointment-types/${world.type_uid}`
    await world.api("PATCH", type, { active: false })
    expect(noticeIn(await enter())).toBe("typeGone")
    expect(await rows(world, "patients")).toHaveLength(0)
    await world.api("PATCH", type, { active: true })
    expect(noticeIn(await enter())).toBeNull()
  })

  test("allows five wrong attempts, even concurrently; Rule 5.8.2", async () => {
    const world = await open()
    const { token, code, enter } = await requestBooking(world)
    const wrong = code === "000000" ? "000001" : "000000"
    await Promise.all(Array.from({ length: 8 }, () => send(world, "/code", { token, code: wrong })))
    expect(noticeIn(await enter())).toBe("codeGone")
  })

  test("can be mailed again, to the address of the form; the page after a wrong one can be reloaded; Rule 5.8.8", async () => {
    const world = await open()
    const { email, token, code, enter } = await requestBooking(world)
    const wrong = await send(world, "/code", { token, code: code === "000000" ? "000001" : "000000" })
    const location = wrong.headers.get("location") ?? ""
    for (let reload = 0; reload < 6; reload++)
      expect((await server.current.api("GET", location)).body).toContain("Der Code stimmt nicht")
    const resend = async () => noticeIn(await send(world, "/code", { token, action: "resend" }))
    expect(await resend()).toBe("codeSent")
    expect(await arrived(() => mailsTo(server.current, email), 2)).toHaveLength(2)
    expect(noticeIn(await enter())).toBeNull()
    expect(await resend()).toBe("codeGone")
  })
})

test("a form is refused with a message at each field, and nobody reads its values in the address; Rule 5.8.7", async () => {
  const world = await open()
  const answer = await begin(world, "eva@praxis", { date_of_birth: "1850-01-01", phone: "none", first_name: "Gudrun" })
  const location = answer.headers.get("location") ?? ""
  expect(location).not.toMatch(/Gudrun|praxis|1850/)
  const { text } = await server.current.api("GET", location)
  const faulty = [...text.matchAll(/<input[^>]*name="(\w+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name)
  expect(faulty.sort()).toEqual(["date_of_birth", "email", "phone"])
  expect(text).toContain('value="Gudrun"')
  for (const date_of_birth of ["2099-01-01", "1899-12-31x"])
    expect(noticeIn(await begin(world, `${random("eva")}@example.org`, { date_of_birth }))).toBe("invalid")
  const other = await open()
  const elsewhere = await server.current.api("GET", location.replace(world.shop_identifier, other.shop_identifier))
  expect(elsewhere.body).not.toContain("Gudrun")
})
