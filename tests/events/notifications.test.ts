import { afterAll, expect, test } from "bun:test"
import type { AddressInfo } from "node:net"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer } from "smtp-server"
import { eventually } from "../support/eventually.ts"
import { ownServer } from "../support/server.ts"
import { DAY, HOUR, makeWorld, random, type World, type WorldOptions } from "../support/world.ts"

interface Arrived {
  readonly mail: ParsedMail
  readonly to: string
  readonly calendar: string
}
const received: Array<Arrived> = []
const busyFor = new Map<string, number>()

const calendarOf = (mail: ParsedMail) =>
  (mail.attachments.find(({ contentType }) => contentType === "text/calendar")?.content.toString() ?? "").replaceAll(
    "\r\n ",
    ""
  )
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onRcptTo: ({ address }, _session, answer) => {
    const left = busyFor.get(address) ?? 0
    busyFor.set(address, left - 1)
    if (address.startsWith("nobody")) answer(Object.assign(new Error("no such user"), { responseCode: 550 }))
    else if (left > 0) answer(Object.assign(new Error("busy"), { responseCode: 451 }))
    else answer()
  },
  onData: (stream, { envelope }, done) => {
    simpleParser(stream).then((mail) => {
      received.push({ mail, to: envelope.rcptTo[0]?.address ?? "", calendar: calendarOf(mail) })
      done()
    }, done)
  }
})
await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve))
const texts: Array<{ to: string; text: string; authorization: string | null }> = []
const gateway = Bun.serve({
  port: 0,
  fetch: async (request) => {
    texts.push({ ...(await request.json()), authorization: request.headers.get("authorization") })
    return new Response(null, { status: 202 })
  }
})
afterAll(() => {
  smtp.close()
  gateway.stop(true)
})

const server = ownServer({
  SANDBOX: "true",
  SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
  MAIL_FROM: "Praxis <praxis@example.org>",
  SMS_URL: `http://127.0.0.1:${gateway.port}/`,
  SMS_TOKEN: "secret"
})

const advanceTo = async (world: World, now: number) =>
  expect((await world.api("POST", "/v1/sandbox/clock", { now })).status).toBe(200)
const organised = (organisation: WorldOptions["organisation"]) =>
  makeWorld(server.current, { organisation: { timezone: "Europe/Berlin", ...organisation } })

const addReminder = (world: World, body: Record<string, unknown>) =>
  world.api("POST", `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`, body)

/** A new patient with these profile fields, and a confirmed appointment. */
const booked = async (world: World, hours: number, fields: Record<string, string> = {}, visit_reason?: string) => {
  const email = `${random("customer")}@example.org`
  const profile = { first_name: "Mia", last_name: "Möller", email, phone: "+4915100000001", ...fields }
  const at = (Math.floor((await server.current.now()) / HOUR) + hours) * HOUR
  const patient_uid = await world.patient(profile)
  const made = await world.bookByKey({ patient_uid, doctor_uid: world.doctor, start_date: at, visit_reason })
  expect(made.status).toBe(201)
  return { uid: made.body.uid, at, email: profile.email }
}
const mailsTo = (address: string) => received.filter(({ to }) => to === address)
const mailsFor = (address: string, count: number) =>
  eventually(
    async () => mailsTo(address),
    (all) => all.length >= count
  )

const cancel = (world: World, uid: string) =>
  world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "Praxis geschlossen" })

test("a reminder goes out by mail and text message, in the patient's language, with invitation and links", async () => {
  const world = await organised({ visit_reason_in_messages: true })
  await addReminder(world, { recipient_role: "patient", minutes_before: 120, send_email: true, send_sms: true })
  const { uid, at, email } = await booked(world, 30, {}, "Husten")
  const other = await booked(world, 31, { language: "en" })
  await advanceTo(world, at - HOUR)
  const [got] = await mailsFor(email, 1)
  expect(got?.mail.subject).toStartWith("Erinnerung: Termin am ")
  expect(got?.mail.text).toContain("(Ortszeit Berlin)")
  expect(got?.mail.text).toContain("Grund des Besuchs: Husten")
  expect(got?.mail.html || "").toContain("Termin absagen")
  expect(got?.calendar).toContain("METHOD:REQUEST")
  expect(got?.calendar).toContain(`UID:${uid}@sprechstunde`)
  const code = /\/appointment\/(aac_[\w-]+)/.exec(got?.mail.text ?? "")?.[1]
  expect((await server.current.api("GET", `/v1/scheduling/appointment-actions/${code}`)).status).toBe(200)
  const [english] = await mailsFor(other.email, 1)
  expect(english?.mail.subject).toStartWith("Reminder: appointment on ")
  const sms = await eventually(
    async () => texts,
    (all) => all.length >= 2
  )
  expect(sms[0]).toMatchObject({ to: "+4915100000001", authorization: "Bearer secret" })
  expect(sms.some(({ text }) => text.startsWith("Erinnerung:") && text.includes("Husten"))).toBe(true)
})

test("numbers go out in E.164, by the organisation's country; to another text nothing is sent; Rule 6.7.10", async () => {
  const world = await organised({ country_code: "CH" })
  await addReminder(world, { recipient_role: "patient", minutes_before: 240, send_sms: true })
  const swiss = await booked(world, 30, { phone: "079 123 45 67" })
  await booked(world, 31, { phone: "+49 (0)170 1234568" })
  const unusable = await booked(world, 32, { phone: "123" })
  await advanceTo(world, swiss.at - HOUR)
  const messages = await eventually(
    async () => (await world.api("GET", "/v1/management/messages?channel=sms")).body.data,
    (all) => all.length === 3 && all.every(({ status }) => status !== "pending")
  )
  expect(texts.map(({ to }) => to)).toEqual(expect.arrayContaining(["+41791234567", "+491701234568"]))
  expect(messages.find(({ appointment_uid }) => appointment_uid === unusable.uid)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("telephone number")
  })
  const { data } = (await world.api("GET", "/v1/management/events?type=scheduling.appointment_reminder_due")).body
  expect(data.map(({ data: { recipient } }) => recipient.phone)).toEqual(["+41791234567", "+491701234568", null])
})

test("a reminder without flags is an event and no message; the reason is in no message where that is disabled", async () => {
  const world = await organised({ visit_reason_in_messages: false })
  await addReminder(world, { recipient_role: "patient", minutes_before: 60 })
  await addReminder(world, { recipient_role: "patient", minutes_before: 30, send_email: true })
  const { at, email } = await booked(world, 30, {}, "Geheimnis")
  await advanceTo(world, at - HOUR)
  await advanceTo(world, at - HOUR / 2)
  const [got] = await mailsFor(email, 1)
  expect(`${got?.mail.subject}${got?.mail.text}${got?.mail.html}${got?.calendar}`).not.toContain("Geheimnis")
  const feed = await world.api("GET", "/v1/management/events?type=scheduling.appointment_reminder_due")
  expect(feed.body.data).toHaveLength(2)
  expect(mailsTo(email)).toHaveLength(1)
})

test("every recipient of an invitation gets its withdrawal, whatever the organisation has opted in to", async () => {
  const world = await organised({ messages: [] })
  await addReminder(world, { recipient_role: "patient", minutes_before: 60, send_email: true })
  await addReminder(world, { recipient_role: "doctor", minutes_before: 60, send_email: true })
  const { uid, at, email } = await booked(world, 30)
  const withoutPhone = await booked(world, 80)
  await advanceTo(world, at - HOUR)
  const doctor = `${world.doctor}@example.org`
  await Promise.all([mailsFor(email, 1), mailsFor(doctor, 1)])
  await cancel(world, withoutPhone.uid)
  await cancel(world, uid)
  for (const address of [email, doctor]) {
    const [request, withdrawn] = await mailsFor(address, 2)
    expect(request?.calendar).toContain("SEQUENCE:0")
    expect(withdrawn?.mail.subject).toStartWith("Termin abgesagt: ")
    expect(withdrawn?.calendar).toContain("METHOD:CANCEL")
    expect(withdrawn?.calendar).toContain(`UID:${uid}@sprechstunde`)
    expect(withdrawn?.calendar).toContain("SEQUENCE:1")
  }
  expect(mailsTo(withoutPhone.email)).toEqual([])
})

test("confirmation, cancellation and rebooking are mailed if the organisation has opted in", async () => {
  const world = await organised({ messages: ["confirmation", "cancellation", "rebooking"] })
  const { uid, at, email } = await booked(world, 48)
  const [confirmation] = await mailsFor(email, 1)
  expect(confirmation?.mail.subject).toStartWith("Terminbestätigung: ")
  expect(confirmation?.calendar).toContain("METHOD:REQUEST")
  const moved = await world.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, {
    new_start_date: at + HOUR,
    new_doctor_uid: world.doctor
  })
  expect(moved.status).toBe(200)
  const mails = await mailsFor(email, 2)
  expect(mails).toHaveLength(2)
  expect(mails[1]?.mail.subject).toStartWith("Termin verschoben auf ")
  expect(mails[1]?.mail.text).toMatch(/wurde verschoben, von .+ Uhr .+ auf .+ Uhr/)
  expect(mails[1]?.calendar).toContain("METHOD:REQUEST")
  expect(mails[1]?.calendar).toContain(`UID:${uid}@`)
  expect(mails[1]?.calendar).toContain("SEQUENCE:1")
  await cancel(world, moved.body.appointment_uid)
  const [, , last] = await mailsFor(email, 3)
  expect(last?.mail.subject).toStartWith("Termin abgesagt: ")
  expect(last?.calendar).toContain("METHOD:CANCEL")
  expect(last?.calendar).toContain(`UID:${uid}@`)
  expect(last?.calendar).toContain("SEQUENCE:2")
  expect(mailsTo(email)).toHaveLength(3)
  // why, and the way on: the times of the same type
  expect(last?.mail.text).toContain("Grund der Absage: Praxis geschlossen")
  const again = /Neuen Termin buchen:\n(\S+)/.exec(last?.mail.text ?? "")?.[1] ?? ""
  expect(last?.mail.html || "").toMatch(/href="[^"]+"[^>]*>\s*Neuen Termin buchen/)
  const page = await (await fetch(again)).text()
  expect(page).toContain("Ihr Termin ist abgesagt")
  expect(page).toContain('name="action" value="again"')
})

test("a patient reads a type's name and preparation in their language, and everybody else as they are; Rule 7.3.4", async () => {
  const world = await makeWorld(server.current, {
    organisation: { timezone: "Europe/Berlin", messages: ["confirmation"] },
    type: {
      preparation: "Bitte nüchtern kommen",
      translations: [
        { language: "tr", name: "Muayene", preparation: "Lütfen aç gelin" },
        { language: "en", name: "Check-up" }
      ]
    }
  })
  const turkish = await booked(world, 48, { language: "tr" })
  const german = await booked(world, 49)
  const [own] = await mailsFor(turkish.email, 1)
  expect(own?.mail.text).toContain("Muayene")
  expect(own?.mail.text).toContain("Lütfen aç gelin")
  const [other] = await mailsFor(german.email, 1)
  expect(other?.mail.text).toContain("Consultation")
  expect(other?.mail.text).toContain("Bitte nüchtern kommen")
  const record = await world.api("GET", `/v1/management/scheduling/appointments/${turkish.uid}`)
  expect(record.body.appointment_type_name).toBe("Consultation")
  const preview = async (role: string) =>
    (
      await world.api(
        "GET",
        `/v1/management/messages/preview?appointment_type_uid=${world.type_uid}&kind=confirmation&recipient_role=${role}&language=en`
      )
    ).body.text
  expect(await preview("patient")).toContain("Check-up")
  expect(await preview("doctor")).toContain("Consultation")
})

test("a move is mailed to the recipients of an invitation even without an opt-in", async () => {
  const world = await organised({ messages: [] })
  await addReminder(world, { recipient_role: "patient", minutes_before: 48 * 60, send_email: true })
  await addReminder(world, { recipient_role: "doctor", minutes_before: 48 * 60, send_email: true })
  const { uid, at, email } = await booked(world, 72)
  await advanceTo(world, at - 2 * DAY)
  const [before, after] = world.doctors.map((doctor) => `${doctor}@example.org`) as [string, string]
  await Promise.all([mailsFor(email, 1), mailsFor(before, 1)])
  const rebook = (appointment: string, new_start_date: number, new_doctor_uid: string | undefined) =>
    world.api("POST", `/v1/scheduling/appointments/${appointment}/rebook`, { new_start_date, new_doctor_uid })
  const once = await rebook(uid, at + HOUR, world.doctors[0])
  const [, moved] = await mailsFor(email, 2)
  const [, doctors] = await mailsFor(before, 2)
  for (const got of [moved, doctors]) {
    expect(got?.mail.subject).toStartWith("Termin verschoben auf ")
    expect(got?.calendar).toContain("SEQUENCE:1")
  }
  await rebook(once.body.appointment_uid, at + 2 * HOUR, world.doctors[1])
  const [, , again] = await mailsFor(email, 3)
  expect(again?.calendar).toContain(`UID:${uid}@`)
  expect(again?.calendar).toContain("SEQUENCE:2")
  const [, , withdrawn] = await mailsFor(before, 3)
  expect(withdrawn?.calendar).toContain("METHOD:CANCEL")
  expect(withdrawn?.calendar).toContain(`UID:${uid}@`)
  expect(
    mailsTo(email)
      .map(({ mail }) => mail.subject)
      .join()
  ).not.toContain("abgesagt")
  expect(mailsTo(after)).toEqual([])
})

test("a busy server is retried, a refusal is not; the event is published either way", async () => {
  const world = await organised({ messages: ["confirmation"] })
  const email = `${random("busy")}@example.org`
  busyFor.set(email, 1)
  await booked(world, 30, { email })
  await booked(world, 31, { email: `nobody-${random("x")}@example.org` })
  const [got] = await eventually(
    async () => mailsTo(email),
    (all) => all.length === 1,
    90
  )
  expect(got?.mail.subject).toStartWith("Terminbestätigung")
  expect(received.filter(({ to }) => to.startsWith("nobody"))).toEqual([])
})
