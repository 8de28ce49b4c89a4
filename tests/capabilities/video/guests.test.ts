/** Guests of calls: invited, told, let in, removed. Rules 5.7.8 to 5.7.10. */
import { expect, test } from "bun:test"
import { mailTo, pageLink } from "../../support/codes.ts"
import { asAdmin, asDoctor } from "../../support/console.ts"
import { arrived } from "../../support/eventually.ts"
import { connect, doctorsMeeting, openAppointment } from "../../support/meetings.ts"
import { place } from "../../support/provisioned.ts"
import { testServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()
const guestsOf = (uid: string) => `/v1/management/scheduling/appointments/${uid}/guests`
const ana = { role: "interpreter", name: "Ana Popović" }

const scene = async () => {
  const world = await makeWorld(server.current)
  const uid = await openAppointment(world)
  const invite = async (guest: object = ana) => (await world.api("POST", guestsOf(uid), guest)).body
  return { world, uid, invite }
}

/** Agrees to secrecy on the page; where it leads. */
const agree = async (url: string) => {
  const { headers, status } = await fetch(url, {
    method: "POST",
    body: new URLSearchParams({ action: "agree" }),
    redirect: "manual"
  })
  expect(status).toBe(303)
  return new URL(headers.get("location") ?? "", server.current.url)
}
const enter = async (url: string) => {
  const at = await agree(url)
  const room = at.pathname.split("/").at(-1) ?? ""
  return { at, room, token: at.searchParams.get("jwt") ?? "" }
}

test("the doctor and the practice invite, list and remove at most two; Rule 5.7.8", async () => {
  const { world, uid } = await scene()
  const bearer = await doctorOf(server.current, world, world.doctor)
  const own = `/v1/doctor/appointments/${uid}/guests`
  const first = await server.current.api("POST", own, { bearer, body: ana })
  const url = String(first.body.url)
  expect([first.status, url]).toEqual([201, expect.stringContaining("/meet/guest/gst_")])
  const [times] = await server.current.sql`SELECT extract(epoch FROM end_date)::bigint AS end_date
    FROM appointments WHERE uid = ${uid}`
  expect(first.body.expires_at).toBe(Number(times?.end_date) + 3600)
  const second = await world.api("POST", guestsOf(uid), { ...ana, role: "relative", name: "Bo" })
  expect(second.status).toBe(201)
  expect(await world.api("POST", guestsOf(uid), ana)).toMatchObject({ status: 409, body: { code: "too_many_guests" } })
  const listed = await server.current.api("GET", own, { bearer })
  expect(listed.body).toMatchObject({
    data: [
      { uid: first.body.uid, role: "interpreter", name: "Ana Popović", email: null, agreed_at: null },
      { uid: second.body.uid, role: "relative" }
    ],
    next: null
  })
  expect(JSON.stringify(listed.body)).not.toContain(url.split("/").at(-1) ?? "")
  const gone = await server.current.api("DELETE", `${own}/${first.body.uid}`, { bearer })
  expect(gone.status).toBe(204)
  expect((await server.current.api("DELETE", `${own}/${first.body.uid}`, { bearer })).status).toBe(404)
  expect((await fetch(url)).status).toBe(404)
  expect((await world.api("POST", guestsOf(uid), ana)).status).toBe(201)
})

test("two that are invited at once do not become three; Rule 5.7.8", async () => {
  const { world, uid } = await scene()
  const answers = await Promise.all([1, 2, 3, 4].map(() => world.api("POST", guestsOf(uid), ana)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
})

test("what cannot have guests says so, and another practice's appointment is unknown; Rule 5.7.8", async () => {
  const { world, uid } = await scene()
  const other = await makeWorld(server.current)
  expect((await other.api("POST", guestsOf(uid), ana)).status).toBe(404)
  for (const body of [{ ...ana, role: "friend" }, { role: "care" }, { ...ana, name: " " }, { ...ana, email: "no" }])
    expect((await world.api("POST", guestsOf(uid), body)).status).toBe(400)
  const patient = await world.patient()
  const start_date = inDays(3, 10)
  const inPerson = await place(world, patient, {
    status: "confirmed",
    start_date,
    fields: { meeting_format: "IN_PERSON" }
  })
  const cancelled = await world.booked(inDays(4, 10))
  await world.run(world.practice.cancel(cancelled))
  expect((await world.api("POST", guestsOf(inPerson), ana)).body.error).toMatchObject([
    expect.stringMatching(/^meeting_format/)
  ])
  expect((await world.api("POST", guestsOf(cancelled), ana)).body.error).toMatchObject([
    expect.stringMatching(/^status/)
  ])
})

test("the message is in the guest's language and says nothing about the patient; Rule 5.7.9", async () => {
  const { world, uid, invite } = await scene()
  const email = `${random("ana")}@example.org`
  const { url } = await invite({ ...ana, email, language: "tr" })
  const mail = await arrived(async () => [await mailTo(server.current, email)].filter((one) => one !== undefined))
  const text = `${mail[0]?.subject} ${mail[0]?.text}`
  expect(text).toContain(url)
  expect(text).toContain("Görüntülü görüşme daveti")
  expect(text).not.toMatch(/Testa|Consultation/)
  const page = await (await fetch(`${url}?lang=uk`)).text()
  expect(page).toContain("зберігати в таємниці")
  expect(page).not.toMatch(/Testa|Consultation/)
  const due = () =>
    server.current.sql`SELECT 1 FROM meeting_guests WHERE appointment_uid = ${uid} AND invite_due_at IS NOT NULL`
  await arrived(async () => ((await due()).length === 0 ? [true] : []))
  expect(await world.api("GET", guestsOf(uid))).toMatchObject({ body: { data: [{ email, language: "tr" }] } })
})

test.each([
  ["de", "Videogespräch dazu (Dolmetscher/in)"],
  ["en", "video call"],
  ["tr", "görüntülü görüşmeye"],
  ["ar", "مكالمة فيديو"],
  ["uk", "відеодзвінку"],
  ["ru", "видеозвонке"]
])("a guest with a telephone alone gets an SMS in %s, in E.164; Rule 5.7.9", async (language, words) => {
  const { world, uid, invite } = await scene()
  const phone = `0151 ${String(Math.random()).slice(2, 10)}`
  const { url, uid: guest } = await invite({ ...ana, phone, language })
  const both = await invite({ ...ana, name: "Bo", phone, email: `${random("bo")}@example.org` })
  const notYet = () => server.current.sql`SELECT 1 FROM meeting_guests
    WHERE appointment_uid = ${uid} AND invite_due_at IS NOT NULL`
  await arrived(async () => ((await notYet()).length === 0 ? [true] : []))
  const sent = async (to: string) =>
    Promise.all(
      [...new Bun.Glob(`${to}-*.json`).scanSync(`${server.current.dataDir}/outbox`)].map((name) =>
        Bun.file(`${server.current.dataDir}/outbox/${name}`).json()
      )
    )
  const [sms, ...more] = await sent(String(guest))
  expect(more).toEqual([])
  expect(sms.to).toBe(`+49${phone.slice(1).replaceAll(" ", "")}`)
  expect(sms.text).toContain(url)
  expect(sms.text).toContain(words)
  expect(sms.text).not.toMatch(/Testa|Consultation/)
  expect(await sent(String(both.uid))).toEqual([])
  expect(world.organisation_uid).not.toBe("")
})

test("opening the link does nothing; agreed to secrecy, the guest enters and waits; DELETE ends the call for them; Rule 5.7.10", async () => {
  const { world, uid, invite } = await scene()
  const { url, uid: guest } = await invite()
  expect(await (await fetch(url)).text()).toContain("müssen Sie für sich behalten")
  expect((await fetch(`${url}/room`, { method: "POST" })).status).toBe(409)
  const { at, room, token } = await enter(url)
  const page = await fetch(at)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('data-role="guest"')])
  const one = connect(server.current, room, token)
  expect((await one.hears("welcome")).self).toMatchObject({ id: guest, name: ana.name, capacity: "interpreter" })
  await one.hears("pending")
  // a guest's arrival is not the patient's
  const [row] = await server.current.sql`SELECT patient_waiting_at AS waiting FROM appointments WHERE uid = ${uid}`
  expect(row?.waiting).toBeNull()
  const doctor = connect(
    server.current,
    room,
    new URL(await doctorsMeeting(server.current, world, uid)).searchParams.get("jwt") ?? ""
  )
  await doctor.hears("member", (message) => JSON.stringify(message).includes(guest))
  expect((await world.api("DELETE", `${guestsOf(uid)}/${guest}`)).status).toBe(204)
  await one.hears("dismissed")
  expect(await one.closed).toBe(1000)
  expect(await connect(server.current, room, token).closed).toBe(4401)
  doctor.close()
})

test("who is removed by the doctor, or refused, enters again by the link alone; Rule 5.7.10", async () => {
  const { world, uid, invite } = await scene()
  const { url, uid: guest } = await invite()
  const { room, token } = await enter(url)
  const one = connect(server.current, room, token)
  await one.hears("pending")
  const code = (await pageLink(server.current, uid, "join")).split("/").at(-1)
  const joined = await server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/join`)
  const patient = connect(server.current, room, joined.body.token)
  await patient.hears("member", (message) => JSON.stringify(message).includes(guest))
  patient.say({ type: "refuse", member: guest })
  await one.hears("dismissed")
  expect(await connect(server.current, room, token).closed).toBe(4401)
  const again = connect(server.current, room, (await enter(url)).token)
  await again.hears("pending")
  again.close()
  patient.close()
  expect(world.organisation_uid).not.toBe("")
})

test("the link follows a move, and ends with a cancellation; Rule 5.7.9", async () => {
  const world = await makeWorld(server.current)
  const before = await world.booked(inDays(3, 10))
  const { url, uid } = (await world.api("POST", guestsOf(before), ana)).body
  const move = { new_start_date: inDays(4, 11), new_doctor_uid: world.doctor }
  const moved = await world.api("POST", `/v1/scheduling/appointments/${before}/rebook`, move)
  expect(moved.status).toBe(200)
  const [row] = await server.current.sql`SELECT uid FROM appointments WHERE previous_meeting_uid = ${before}`
  const after = String(row?.uid)
  expect((await world.api("GET", guestsOf(after))).body.data).toMatchObject([{ uid }])
  expect((await world.api("GET", guestsOf(before))).body.data).toEqual([])
  const shown = await (await fetch(url)).text()
  expect(shown).toContain("Der Raum öffnet")
  // not open yet: pressing leads back
  expect((await agree(url)).pathname).toContain("/guest/")
  await world.run(world.practice.cancel(after))
  expect(await (await fetch(url)).text()).toContain("Diese Einladung gilt nicht mehr")
  expect((await agree(url)).pathname).toContain("/guest/")
})

test("guests are in the patient's export, and an erasure takes their names", async () => {
  const { world, uid, invite } = await scene()
  await invite({ ...ana, phone: "+4915112345678" })
  const [row] = await server.current.sql`SELECT patient_uid FROM appointments WHERE uid = ${uid}`
  const of = `/v1/management/patients/${row?.patient_uid}`
  expect((await world.api("POST", `${of}/export`)).body).toMatchObject({
    guests: [{ appointment_uid: uid, name: ana.name }]
  })
  await world.run(world.practice.cancel(uid))
  const erased = await world.api("POST", `${of}/erase`, { reason: "wish" })
  expect(erased.body.erased).toContainEqual({ what: "guests", count: 1 })
  const guests = await server.current.sql`SELECT name, email, phone FROM meeting_guests WHERE appointment_uid = ${uid}`
  expect(guests).toEqual([{ name: null, email: null, phone: null }])
})

test("a guest is invited from the console's page of the appointment, the practice's and the doctor's, which shows the link once, lists the guests, and removes them", async () => {
  const { world, uid } = await scene()
  const [row] = await server.current.sql`SELECT patient_uid FROM appointments WHERE uid = ${uid}`
  const pages = [
    [await asAdmin(server.current, world), `/console/practice/appointments/${uid}`, guestsOf(uid)],
    [
      await asDoctor(server.current, world),
      `/console/doctor/patients/${row?.patient_uid}?appointment=${uid}`,
      `/v1/doctor/appointments/${uid}/guests`
    ]
  ] as const
  for (const [staff, page, path] of pages) {
    const operation = `POST ${path}`
    expect((await staff.open(page)).text).toContain(`value="${operation}"`)
    const fields = { role: "care", name: "Bo", email: "", phone: "", language: "uk", "@show": "url", "@back": page }
    expect((await staff.send(operation, fields)).text).toContain("/meet/guest/gst_")
  }
  const bo = { role: "care", name: "Bo", email: null, phone: null, language: "uk" }
  const { data } = (await world.api("GET", guestsOf(uid))).body
  expect(data).toMatchObject([bo, bo])
  // both pages list both; each removes one
  for (const [at, [staff, page, path]] of pages.entries()) {
    const { text } = await staff.open(page)
    const removals = data.map((one: { readonly uid: string }) => `DELETE ${path}/${one.uid}`)
    expect(removals.filter((removal: string) => text.includes(`value="${removal}"`))).toEqual(removals.slice(at))
    await staff.send(String(removals[at]), { "@back": page })
  }
  expect((await world.api("GET", guestsOf(uid))).body.data).toEqual([])
})
