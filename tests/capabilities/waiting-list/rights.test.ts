/** Entries of the waiting list in a patient's export, erasure and retention (Rule 19.1.8), and going on after a pause (Rule 19.3.2). */

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import type { WaitlistOfferUid } from "../../../src/capabilities/waiting-list/schemas/Waitlist.ts"
import { Offers } from "../../../src/capabilities/waiting-list/services/Offers.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { present } from "../../support/body.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, HOUR, makeWorld, random } from "../../support/world.ts"

const server = sandboxServer({ ROLE: "http" })
const PATH = "/v1/management/scheduling/waitlist-entries"

const scene = async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const now = await server.current.now()
  const runDue = () => server.current.run(Effect.flatMap(Offers, (offers) => offers.runDue()))
  await server.current.advance(Math.ceil((now - 9 * HOUR) / DAY) * DAY + 9 * HOUR - now) // outside of quiet hours
  const patient = () => world.patient({ first_name: "Ada", email: `${random("wait")}@example.org` })
  const wait = async (patient_uid: string, wish: Readonly<Record<string, unknown>> = {}) =>
    (await world.api("POST", PATH, { patient_uid, appointment_type_uid: world.type_uid, ...wish })).body.uid as string
  const startIn = async (days: number) => Math.floor((await server.current.now()) / DAY + days) * DAY + 9 * HOUR
  /** Somebody's appointment is booked and cancelled. */
  const free = async (start_date: number) => {
    const booked = await world.bookByKey({ patient_uid: await patient(), doctor_uid: world.doctor, start_date })
    await world.api("POST", `/v1/scheduling/appointments/${booked.body.uid}/cancel`, { reason: null })
  }
  const statusOf = async (uid: string) => (await world.api("GET", `${PATH}/${uid}`)).body.status as string
  /** By the patient of the open offer. */
  const decline = async () => {
    const text = "SELECT uid FROM waitlist_offers WHERE organisation_uid = $1 AND status = 'offered'"
    const [offer] = await server.current.query<{ uid: WaitlistOfferUid }>(text, [world.organisation_uid])
    await server.current.run(
      Effect.gen(function* () {
        const offers = yield* Offers
        const { url } = yield* Effect.flatten(
          offers.toSend(OrganisationUid.make(world.organisation_uid), present(offer).uid)
        )
        yield* offers.decline(present(url.split("/").at(-1)))
      })
    )
  }
  const rows = async (table: string) =>
    (await server.current.query(`SELECT 1 FROM ${table} WHERE organisation_uid = $1`, [world.organisation_uid])).length
  return { ...world, runDue, patient, wait, startIn, free, statusOf, decline, rows }
}

test("an export has entries with their offers and recalls; an erasure removes them, and offers their times on", async () => {
  const { api, patient, wait, startIn, free, statusOf, runDue, type_uid } = await scene()
  const [ada, other] = [await patient(), await patient()]
  const start = await startIn(5)
  const uid = await wait(ada, { need: "urgent", need_reason: "Fever" })
  const second = await wait(other)
  const recall = await api("POST", "/v1/management/scheduling/recalls", {
    patient_uid: ada,
    appointment_type_uid: type_uid,
    due_date: "2040-01-01"
  })
  await free(start)
  const exported = await api("POST", `/v1/management/patients/${ada}/export`)
  expect(exported.body).toMatchObject({
    waitlist_entries: [
      { uid, need: "urgent", need_reason: "Fever", offers: [{ status: "offered", start_date: start }] }
    ],
    recalls: [{ uid: recall.body.uid, due_date: "2040-01-01" }]
  })
  const erased = await api("POST", `/v1/management/patients/${ada}/erase`, { reason: "asked" })
  expect(erased.body.erased).toEqual(expect.arrayContaining([{ what: "waitlist_entries", count: 1 }]))
  expect((await api("GET", `${PATH}/${uid}`)).status).toBe(404)
  await runDue()
  expect(await statusOf(second)).toBe("offered")
})

test("entries are deleted with their offers when their period has ended", async () => {
  const { patient, wait, startIn, free, rows, api } = await scene()
  const start = await startIn(5)
  await wait(await patient(), { from: start, to: start + DAY })
  await free(start)
  await api("PATCH", "/v1/management/organisation", { retention: { waitlist: 10 } })
  const deleteExpired = () => server.current.run(Effect.flatMap(Retention, (retention) => retention.deleteExpired()))
  await server.current.advance(10 * DAY)
  await deleteExpired()
  expect([await rows("waitlist_entries"), await rows("waitlist_offers")]).toEqual([1, 1])
  await server.current.advance(7 * DAY)
  await deleteExpired()
  expect([await rows("waitlist_entries"), await rows("waitlist_offers")]).toEqual([0, 0])
})

test("three offers in a row without an answer pause an entry, which goes on when it is asked to; Rule 19.3.2", async () => {
  const { api, patient, wait, startIn, free, runDue, statusOf, decline } = await scene()
  const uid = await wait(await patient())
  for (const answer of ["", "", "declined", "", "", ""]) {
    expect(await statusOf(uid)).toBe("waiting")
    await free(await startIn(20))
    expect(await statusOf(uid)).toBe("offered")
    if (answer === "declined") await decline()
    else await server.current.advance(2 * HOUR + 1)
    await runDue()
  }
  expect(await statusOf(uid)).toBe("paused")
  const paused = await api("GET", "/v1/management/events?type=waitlist.paused")
  expect(paused.body.data).toMatchObject([{ data: { entry: { uid, status: "paused" } } }])
  await free(await startIn(23))
  expect(await statusOf(uid)).toBe("paused")
  expect((await api("PATCH", `${PATH}/${uid}`, { status: "waiting" })).body.status).toBe("waiting")
  await free(await startIn(24))
  expect(await statusOf(uid)).toBe("offered")
})

test("statistics count offers and the times that were refilled by them", async () => {
  const { api, patient, wait, startIn, free } = await scene()
  const start = await startIn(5)
  await wait(await patient(), { from: start, to: start + 1 })
  await free(start)
  const weeks = async () =>
    (await api("GET", `/v1/management/statistics?from=${start}&to=${start}`)).body.data.map(
      ({ waitlist_offers, refilled_appointments }) => [waitlist_offers, refilled_appointments]
    )
  expect(await weeks()).toEqual([[1, 0]])
  await server.current.query(
    "UPDATE waitlist_offers SET status = 'accepted' WHERE start_date = to_timestamp($1) AND status = 'offered'",
    [start]
  )
  expect(await weeks()).toEqual([[1, 1]])
})
