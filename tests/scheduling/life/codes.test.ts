/**
 * Codes as capabilities: every kind of code × everything that a code can be used for, by the interface and on the page. The table in code
 * is the one of Rule 5.4.14.
 */
import { beforeAll, describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { type CodePowerName, codeKinds, codePowers, permits } from "../../../src/schemas/scheduling/ActionLink.ts"
import { issuedCode, mailsTo } from "../../support/codes.ts"
import { arrived } from "../../support/eventually.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = testServer()

const consent = [{ purpose: "video", version: "1", required: false, texts: [{ language: "de", text: "Video" }] }]
const names = Object.keys(codePowers) as ReadonlyArray<CodePowerName>

const form = (path: string, fields: Readonly<Record<string, string>>) =>
  server.current.api("POST", path, { body: new URLSearchParams(fields) })

/** The appointment with which a power can be used: one that begins now, and for `again` one that is cancelled. */
const appointmentFor = async (power: CodePowerName, world: World) => {
  const { organisation_uid, shop_uid, type_uid: appointment_type_uid } = world
  const [uid, patient_uid, doctor_uid] = [random("apt"), random("pat"), random("doc")]
  const profile = { first_name: "Anna", last_name: "Muster", email: `${patient_uid}@example.org` }
  const start_date = power === "cancel" || power === "rebook" ? inDays(3, 9) : (await server.current.now()) + 300
  const status = power === "again" ? "cancelled" : "confirmed"
  const of = { organisation_uid, doctor_uid, patient_uid, appointment_type_uid }
  await world.provision({
    doctors: [{ uid: doctor_uid, organisation_uid, display_name: "Dr. A" }],
    patients: [{ uid: patient_uid, organisation_uid, shop_uid, shop_customer_id: patient_uid, profile }],
    appointments: [{ uid, ...of, status, start_date, end_date: start_date + 1200 }]
  })
  /** What the form shows (Rule 5.5.12). */
  const shown = { appointment_uid: uid, start: String(start_date) }
  return { world, patient_uid, uid, shown }
}

/** A consent to withdraw or to give, and the minutes of a delay. */
const fieldsFor = async (power: CodePowerName, world: World, patient_uid: string) => {
  if (power !== "withdraw") return power === "agree" ? { consent: "video:1" } : { minutes: "10" }
  const path = `/v1/management/patients/${patient_uid}/consents`
  const given = await world.api("POST", path, { purpose: "video", version: "1", language: "de" })
  expect(given.status).toBe(201)
  return { consent: String(given.body.uid) }
}

/** How often anything was done for the patient's appointment: an action that is refused must not change it. */
const stateOf = async ({ world, patient_uid }: Awaited<ReturnType<typeof appointmentFor>>) => {
  const rows = await server.current.query(
    `SELECT (SELECT json_agg(to_jsonb(a) ORDER BY a.uid) FROM appointments a WHERE organisation_uid = $1 AND patient_uid = $2) AS appointments,
       (SELECT json_agg(to_jsonb(c) ORDER BY c.uid) FROM consents c WHERE organisation_uid = $1 AND patient_uid = $2) AS consents,
       (SELECT count(*) FROM booking_sessions WHERE organisation_uid = $1 AND patient_uid = $2) AS sessions`,
    [world.organisation_uid, patient_uid]
  )
  return JSON.stringify(rows)
}

describe.each(codeKinds)("a code of kind %s", (kind) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(server.current, { organisation: { consent } })
  })
  test.each(names)("may %s where the table says so, by the interface and on the page", async (power) => {
    const { route, page } = codePowers[power]
    // A form of the page that is refused leads back to the page (Rule 5.5.11)
    const ways = [
      ...(route === null ? [] : [{ use: (code: string) => asked(route, code), refusal: 404 }]),
      ...(page === null
        ? []
        : [
            {
              use: (code: string, fields: Readonly<Record<string, string>>) => pressed(page, code, fields),
              refusal: "form" in page ? 303 : 404
            }
          ])
    ]
    const isPermitted = permits(kind, power)
    const scene = async () => {
      const made = await appointmentFor(power, world)
      const fields = { ...made.shown, ...(await fieldsFor(power, world, made.patient_uid)) }
      const code = await issuedCode(server.current, world, made.uid, kind)
      return { ...made, fields, code, before: await stateOf(made) }
    }
    const refused = isPermitted ? undefined : await scene()
    for (const { use, refusal } of ways) {
      const { code, fields, before, ...made } = refused ?? (await scene())
      const { status } = await use(code, fields)
      if (isPermitted) expect([200, 303]).toContain(status)
      else expect([status, await stateOf(made)]).toEqual([refusal, before])
    }
  })
})

const asked = ([method, path]: readonly ["GET" | "POST", string], code: string) =>
  server.current.api(method, `/v1/scheduling/appointment-actions/${code}${path}`, method === "POST" ? { body: {} } : {})

const pressed = (
  page: { readonly path: string } | { readonly form: string },
  code: string,
  fields: Readonly<Record<string, string>>
) =>
  "path" in page
    ? server.current.api("GET", `/meet/appointment/${code}${page.path}`)
    : form(`/meet/appointment/${code}`, { action: page.form, ...fields })

test("the specification has the same table; Rule 5.4.14", async () => {
  const text = await readFile("docs/specification/05-links-and-meetings.md", "utf8")
  const written = text.split("\n").filter((line) => /^\| `(\w+)` +\|( (yes|no) +\|){4}/.test(line))
  const cells = written.map((line) =>
    line
      .split("|")
      .slice(1, 6)
      .map((cell) => cell.trim().replaceAll("`", ""))
  )
  expect(cells).toEqual(names.map((name) => [name, ...codeKinds.map((kind) => (permits(kind, name) ? "yes" : "no"))]))
})

test("the service's own mails have page codes, by the interface too; Rule 5.4.2", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  const customer = random("p")
  const uid = await world.booked(inDays(3, 9), customer)
  const [mail] = await arrived(() => mailsTo(server.current, `${customer}@example.org`))
  const codes = [...(mail?.text ?? "").matchAll(/\/appointment\/(aac_[\w-]+)/g)].map(([, code]) => code ?? "")
  expect(codes).toHaveLength(3)
  const cancelled = await asked(["POST", "/cancel"], codes[0] ?? "")
  expect(cancelled).toMatchObject({ status: 200, body: { appointment_uid: uid, status: "cancelled" } })
})

describe("a code leads to no other appointment; Rule 5.4.15", () => {
  const launchOf = (location: string | null) => /\/booking\/(blc_[^?]+)/.exec(location ?? "")?.[1] ?? ""
  const expiryOf = async (code: string) => {
    const [row] = await server.current.query(
      "SELECT extract(epoch FROM expires_at)::float8 AS until, kind FROM action_links WHERE code_hash = sha256(convert_to($1, 'UTF8'))",
      [code]
    )
    return row as { readonly until: number; readonly kind: string }
  }
  /** A patient with an appointment, another at an overlapping time with another doctor, and a session opened by the code. */
  const moving = async (kind: "page" | "rebook") => {
    const world = await makeWorld(server.current, { organisation: { consent } })
    const uid = await world.booked(inDays(3, 9), "p")
    const other = await world.booked(inDays(3, 12), "p", { doctor_uid: world.doctors[1] })
    const code = await issuedCode(server.current, world, uid, kind)
    const opened = await form(`/meet/appointment/${code}`, {
      action: "rebook",
      appointment_uid: uid,
      start: String(inDays(3, 9))
    })
    const launch = launchOf(opened.headers.get("location"))
    const held = await world.hold(launch, inDays(3, 12))
    expect(held.status).toBe(200)
    return { world, other, launch, hold_uid: String(held.body.hold_uid), address: `/meet/booking/${launch}` }
  }

  test.each(["page", "rebook"] as const)("a %s code's session neither shows nor manages another one", async (kind) => {
    const { address, other } = await moving(kind)
    expect((await server.current.api("GET", address)).body).not.toContain(other)
    const managed = await form(`${address}/manage`, { action: "cancel", appointment_uid: other })
    expect([managed.status, managed.headers.get("location")]).toEqual([303, expect.not.stringContaining("aac_")])
  })

  test("a rebook code's session asks for no consent, takes none, and issues no code", async () => {
    const { world, address, hold_uid, launch } = await moving("rebook")
    expect((await server.current.api("GET", address)).body).not.toContain("video:1")
    expect((await form(`${address}/confirm`, { hold_uid, consent: "video:1" })).status).toBe(303)
    const consents = await server.current.query("SELECT 1 FROM consents WHERE organisation_uid = $1", [
      world.organisation_uid
    ])
    expect(consents).toEqual([])
    const done = await server.current.api("GET", `/meet/booking/${launch}`)
    expect(done.body).toContain('data-stage="confirmed"')
    expect(done.body).not.toContain("/manage")
    const managed = await form(`${address}/manage`, { action: "cancel", appointment_uid: hold_uid })
    expect([managed.status, managed.headers.get("location")]).toEqual([303, expect.not.stringContaining("aac_")])
  })

  test("a page code's session issues codes of its own appointment that do one action and end with it", async () => {
    const { address, hold_uid } = await moving("page")
    await form(`${address}/confirm`, { hold_uid })
    const managed = await form(`${address}/manage`, { action: "cancel", appointment_uid: hold_uid })
    const code = /\/appointment\/(aac_[^?]+)/.exec(managed.headers.get("location") ?? "")?.[1] ?? ""
    expect(await expiryOf(code)).toEqual({ until: inDays(3, 12, 20), kind: "cancel" })
  })

  test("codes issued on a booking's page end with the page, also when the appointment is moved", async () => {
    const world = await makeWorld(server.current)
    const launch = await world.session("p", { from: inDays(3), to: inDays(20) })
    const { hold_uid } = (await world.hold(launch, inDays(3, 9))).body
    await world.confirm(launch, hold_uid)
    const managed = await form(`/meet/booking/${launch}/manage`, { action: "rebook", appointment_uid: hold_uid })
    const code = /\/appointment\/(aac_[^?]+)/.exec(managed.headers.get("location") ?? "")?.[1] ?? ""
    expect(await expiryOf(code)).toEqual({ until: inDays(3, 9, 20), kind: "rebook" })
    const session = await world.session("p", { mode: "rebooking", appointment_uid: hold_uid })
    const moved = await world.hold(session, inDays(15, 9))
    expect((await world.confirm(session, moved.body.hold_uid)).status).toBe(200)
    expect((await expiryOf(code)).until).toBe(inDays(3, 9, 20))
  })
})
