/** Retention periods of each kind of data, by organisation, and of the medical record. Section 12.6. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { place } from "../../support/provisioned.ts"
import { refuse } from "../../support/refusal.ts"
import { ownServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })

const scene = async (retention: Readonly<Record<string, number>> = {}) => {
  const world = await makeWorld(server.current, { doctors: 1, organisation: { retention } })
  const call = (method: string, at: string, body?: unknown) => world.api(method, `/v1/management${at}`, body)
  const rows = async (table: string) =>
    (await server.current.query(`SELECT FROM ${table} WHERE organisation_uid = $1`, [world.organisation_uid])).length
  const ended = (patient_uid: string, start_date: number, status = "completed") =>
    place(world, patient_uid, { status, start_date })
  return { ...world, call, rows, ended }
}
const run = () => server.current.run(Effect.flatMap(Retention, ({ deleteExpired }) => deleteExpired()))
const advance = (days: number) => server.current.advance(days * DAY)

test("periods are shown, set within the legal bounds, and the default if unset", async () => {
  const { call } = await scene({ messages: 7 })
  const shown = async () => (await call("GET", "/organisation")).body.retention
  expect(await shown()).toMatchObject({ messages: 7, records: 3653, events: 30 })
  expect((await call("PATCH", "/organisation", { retention: { events: 10 } })).body.retention).toEqual({
    ...(await shown()),
    events: 10
  })
  expect(await shown()).toMatchObject({ messages: 7, events: 10 })
  expect((await call("PATCH", "/organisation", { retention: { records: 3652 } })).body.error).toEqual([
    "retention.records: must be an integer from 3653 to 36525"
  ])
})

test("expired records are deleted by the organisation's own period or the default", async () => {
  const [own, other] = [await scene({ cancelled_appointments: 2 }), await scene()]
  for (const one of [own, other]) await one.ended(await one.patient(), inDays(3, 9), "cancelled")
  await advance(3)
  await run()
  expect([await own.rows("appointments"), await other.rows("appointments")]).toEqual([0, 1])
})

test("a patient's record is deleted as a whole ten years after the last appointment, then the patient; a restricted one stays", async () => {
  const { call, rows, patient, ended, organisation_uid } = await scene()
  const [one, restricted] = [await patient(), await patient()]
  await ended(one, inDays(-4000))
  await ended(one, inDays(-100))
  await ended(restricted, inDays(-4000))
  await call("POST", `/patients/${restricted}/restrict`, { restricted: true })
  await run()
  expect(await rows("appointments")).toBe(3)
  const report = await server.current.run(
    Effect.flatMap(Retention, (retention) => retention.report(OrganisationUid.make(organisation_uid)))
  )
  const line = report.find(
    ({ rule }) => rule.table === "appointments" && typeof rule.after === "object" && rule.after.name === "records"
  )
  expect(line).toMatchObject({ organisation: organisation_uid, seconds: 3653 * DAY, rows: 3, due: 0 })
  await advance(3600)
  await run()
  expect(await rows("appointments")).toBe(1)
  expect(await rows("patients")).toBe(1)
})

test("what cannot be deleted keeps no other kind of data beyond its time", async () => {
  const [broken, other] = [await scene(), await scene()]
  await broken.ended(await broken.patient(), inDays(-10, 9), "cancelled")
  await other.patient()
  const whose = `OLD.organisation_uid = '${broken.organisation_uid}'`
  const accept = await refuse(server.current.databaseUrl, "DELETE", "appointments", whose)
  await advance(4000)
  await expect(run()).rejects.toThrow()
  expect([await broken.rows("appointments"), await other.rows("patients")]).toEqual([1, 0])
  await accept()
  await run()
  expect(await broken.rows("appointments")).toBe(0)
})
