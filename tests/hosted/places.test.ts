/** Rooms and sites on the appointment's page, in its calendar file and in mails. Rule 18.6.4. */
import { expect, test } from "bun:test"
import { placeIn } from "../../src/schemas/scheduling/place.ts"
import { makeScene, nine } from "../scheduling/takes/scene.ts"
import { pageLink } from "../support/codes.ts"
import { place, worldWithPatient } from "../support/provisioned.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const server = testServer()

test("rooms with their sites; a room without one is at the practice's address", () => {
  const [annexed, plain, address] = [{ name: "Room 1", site: "Annex" }, { name: "Room 2", site: null }, "Main Street 1"]
  for (const [rooms, at, shown] of [
    [[], address, address],
    [[], null, null],
    [[plain], null, "Room 2"],
    [[plain], address, `Room 2, ${address}`],
    [[annexed, plain], address, `Room 1, Annex; Room 2, ${address}`]
  ] as const)
    expect(placeIn(rooms, at)).toBe(shown)
})

test("the page and the calendar file of an appointment on site name its room, not its device, and a video call none", async () => {
  const { world, patient_uid } = await worldWithPatient(server.current)
  const { organisation_uid } = world
  const [room, device] = [random("res"), random("res")]
  await world.provision({
    resources: [
      { uid: room, organisation_uid, kind: "room", name: "Blue Room", site: "Annex Street 7" },
      { uid: device, organisation_uid, kind: "device", name: "Ultrasound", site: "Cellar" }
    ]
  })
  const shown = async (meeting_format: string, day: number) => {
    const fields = { meeting_format }
    const uid = await place(world, patient_uid, { status: "confirmed", start_date: inDays(day, 9), fields })
    await server.current.sql`UPDATE appointments SET resource_uids = ${[device, room]}
      WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
    const url = await pageLink(server.current, uid, "cancel")
    const page = await (await fetch(url)).text()
    const file = (await (await fetch(`${url}/appointment.ics`)).text()).replaceAll("\r\n ", "")
    return { page, file }
  }
  const onSite = await shown("IN_PERSON", 3)
  expect(onSite.page).toContain("Blue Room, Annex Street 7")
  expect(onSite.file).toContain("LOCATION:Blue Room\\, Annex Street 7")
  expect(onSite.page).toContain('href="https://www.openstreetmap.org/search?query=Annex+Street+7"')
  expect(onSite.page + onSite.file).not.toMatch(/Ultrasound|Cellar/)
  const video = await shown("DIGITAL", 4)
  expect(video.page + video.file).not.toMatch(/Blue Room|openstreetmap/)
})

test("the booking page of a group says how many seats are left", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type: { seats: 3 } })
  const start_date = inDays(1, 9)
  await world.bookByKey({ doctor_uid: world.doctor, start_date })
  const code = await world.session("berta", { from: start_date, to: start_date + 1200 })
  const page = await fetch(`${server.current.url}/meet/booking/${code}?lang=en&step=times`)
  expect(await page.text()).toContain("2 seats left")
})

test("the booked page and the appointment's name the further doctors, who are not the one that was chosen", async () => {
  const { doctors, session, hold, confirm, api } = await makeScene(server.current, {
    doctors: 2,
    type_with: ({ doctors }) => ({ requirements: [{ doctor_uids: doctors.slice(1) }] })
  })
  const [first, second = ""] = doctors
  await api("PATCH", `/v1/management/doctors/${second}`, { display_name: "Dr. Zweitmeinung" })
  const launch = await session("p", { from: nine(), to: nine(20) })
  const held = await hold(launch, nine(), { doctor_uid: first })
  const { body } = await confirm(launch, held.body.hold_uid)
  const read = async (address: string) => (await fetch(address, { headers: { "accept-language": "de" } })).text()
  for (const page of [
    await read(`${server.current.url}/meet/booking/${launch}`),
    await read(await pageLink(server.current, body.uid, "join"))
  ])
    expect(page.replaceAll(/<[^>]+>/g, " ")).toMatch(/Außerdem dabei\s+Dr\. Zweitmeinung/)
})
