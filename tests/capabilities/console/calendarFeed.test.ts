/** The secret URL of a doctor's calendar. Rules 8.4.7 and 8.4.8. */
import { describe, expect, test } from "bun:test"
import { asDoctor } from "../../support/console.ts"
import { testServer } from "../../support/server.ts"
import { adminOf, doctorOf } from "../../support/staff.ts"
import { inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
const FEED = "/v1/doctor/calendar-feed"

const feedOf = async (world: World) => {
  const bearer = await doctorOf(server.current, world)
  return (method: string) => server.current.api(method, FEED, { bearer })
}
const read = (url: string) => server.current.api("GET", new URL(url).pathname)
/** Long lines are folded (RFC 5545). */
const unfolded = (text: string) => text.replaceAll("\r\n ", "")
const linesOf = (text: string, name: string) =>
  unfolded(text)
    .split("\r\n")
    .filter((line) => line.startsWith(`${name}:`))

describe("a calendar feed's address", () => {
  test("shows the doctor's confirmed appointments without patients; a moved one stays the same entry; Rule 8.4.8", async () => {
    const world = await makeWorld(server.current)
    const feed = await feedOf(world)
    const start = inDays(2, 9)
    const uid = await world.booked(start, "anna", { visit_reason: "Husten" })
    await world.booked(inDays(2, 9), "berta", { doctor_uid: world.doctors[1] })
    await world.run(world.practice.cancel(await world.booked(inDays(3, 9), "carla")))
    const { url } = (await feed("POST")).body
    const first = await read(url)
    expect(first.headers.get("content-type")).toBe("text/calendar; charset=utf-8")
    expect(first.headers.get("cache-control")).toContain("no-store")
    const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
    expect(linesOf(first.text, "DTSTART")).toEqual([`DTSTART:${stamp(start)}`])
    expect(linesOf(first.text, "SUMMARY")).toEqual(["SUMMARY:Consultation"])
    for (const word of ["Testa", "Patient", "Husten", "anna"]) expect(unfolded(first.text)).not.toContain(word)
    await world.run(world.practice.rebook(uid, { new_start_date: start + 3600, new_doctor_uid: world.doctor }))
    const second = await read(url)
    expect(linesOf(second.text, "DTSTART")).toEqual([`DTSTART:${stamp(start + 3600)}`])
    expect(linesOf(second.text, "UID")).toEqual(linesOf(first.text, "UID"))
  })

  test("is shown once, is replaced by a new one, and ends when it is revoked; Rule 8.4.7", async () => {
    const world = await makeWorld(server.current)
    const feed = await feedOf(world)
    expect((await feed("GET")).body).toEqual({ created_at: null })
    expect((await feed("DELETE")).status).toBe(404)
    const made = await feed("POST")
    expect(made.status).toBe(201)
    expect((await feed("GET")).body).toEqual({ created_at: made.body.created_at })
    expect((await read(made.body.url)).status).toBe(200)
    const { body: again } = await feed("POST")
    expect((await read(made.body.url)).status).toBe(404)
    expect((await read(again.url)).status).toBe(200)
    expect((await feed("DELETE")).status).toBe(204)
    expect((await read(again.url)).status).toBe(404)
  })

  test("ends when its doctor is deleted, and shows no other doctor; Rule 8.4.7", async () => {
    const world = await makeWorld(server.current)
    const { url } = (await (await feedOf(world))("POST")).body
    const bearer = await doctorOf(server.current, world, world.doctors[1])
    expect((await server.current.api("GET", FEED, { bearer })).body).toEqual({ created_at: null })
    const admin = await adminOf(server.current, world)
    expect((await server.current.api("POST", FEED, { bearer: admin })).status).toBe(403)
    await world.api("DELETE", `/v1/management/doctors/${world.doctor}`)
    expect((await read(url)).status).toBe(404)
  })

  test("has its creation and each read in the audit log; Rule 13.1.1", async () => {
    const world = await makeWorld(server.current)
    const { url } = (await (await feedOf(world))("POST")).body
    await read(url)
    const { body } = await world.api("GET", "/v1/management/audit-log?limit=500")
    for (const action of ["doctor.calendar.create_feed", "calendar_feeds.read"])
      expect(body.data).toContainEqual(
        expect.objectContaining({ action, actor: expect.objectContaining({ kind: "doctor" }) })
      )
    expect(JSON.stringify(body)).not.toContain(new URL(url).pathname.split("/").at(-1))
  })

  test("is created and revoked in the console; an entry leads to the patient's card; Rule 8.4.7", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(1, 9))
    const browser = await asDoctor(server.current, world)
    const made = await browser.send(`POST ${FEED}`, { "@back": "/console/doctor/hours", "@show": "url" })
    const url = /http[^<"]+\/v1\/calendar-feeds\/cal_[\w-]+/.exec(made.text)?.[0] ?? ""
    expect(linesOf((await read(url)).text, "URL;VALUE=URI").join()).toContain(`/console/doctor/appointments/${uid}`)
    const { status, location } = await browser.ask(`/console/doctor/appointments/${uid}`)
    expect([status, location.includes(`appointment=${uid}`)]).toEqual([303, true])
    const others = await world.booked(inDays(1, 9), "other", { doctor_uid: world.doctors[1] })
    expect((await browser.ask(`/console/doctor/appointments/${others}`)).status).toBe(404)
    expect((await browser.send(`DELETE ${FEED}`, { "@back": "/console/doctor/hours" })).status).toBe(303)
    expect((await read(url)).status).toBe(404)
  })
})
