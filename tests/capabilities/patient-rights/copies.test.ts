/** Copies of messages in the outbox folder of a trial set-up go with their messages, by a job. Rules 12.2.11 and 12.2.13. */
import { expect, test } from "bun:test"
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit } from "effect"
import { OrganisationErasure } from "../../../src/capabilities/record-commands/services/OrganisationErasure.ts"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { MessageUid, OrganisationUid } from "../../../src/schemas/ids.ts"
import { SentCopies } from "../../../src/services/notifications/SentCopies.ts"
import { place } from "../../support/provisioned.ts"
import { ownServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = ownServer({ ROLE: "http" }) // no worker runs its jobs

/** A patient with an appointment and a message of this age. */
const scene = async (age = "0 days") => {
  const world = await makeWorld(server.current)
  const { organisation_uid } = world
  const patient_uid = await world.patient()
  const appointment_uid = await place(world, patient_uid, { status: "confirmed", start_date: inDays(3, 9) })
  const message = random("msg")
  await server.current.query(
    `INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, recipient_role, recipient_uid, channel, status,
      attempts, sent_at, created_at)
    VALUES ($1, $2, $2, 'confirmation', $3, 'patient', $4, 'email', 'sent', 1, now(), now() - $5::interval)`,
    [organisation_uid, message, appointment_uid, patient_uid, age]
  )
  const copy = join(server.current.dataDir, "outbox", `${message}.eml`)
  mkdirSync(join(server.current.dataDir, "outbox"), { recursive: true })
  const erase = () => world.api("POST", `/v1/management/patients/${patient_uid}/erase`, { reason: "asked for" })
  return { organisation_uid, erase, message: MessageUid.make(message), copy }
}

/** The jobs that delete copies of this message. */
const jobs = async (message: string) => {
  const found = await server.current.sql`SELECT FROM pgboss.job WHERE name = 'message.forget'
    AND data::text LIKE ${`%${message}%`}`
  return found.length
}
const forget = (message: MessageUid) =>
  server.current.run(Effect.exit(Effect.flatMap(SentCopies, (copies) => copies.forget([message]))))

test("an erasure succeeds although a copy cannot be deleted; the deletion is retried", async () => {
  const { erase, message, copy } = await scene()
  mkdirSync(copy) // a folder, so that deleting it as a file fails
  expect((await erase()).status).toBe(200)
  expect(await jobs(message)).toBe(1)
  expect(Exit.isFailure(await forget(message))).toBe(true)
  rmdirSync(copy)
  writeFileSync(copy, "a mail")
  expect(Exit.isSuccess(await forget(message))).toBe(true)
  expect(existsSync(copy)).toBe(false)
})

test("a message deleted by retention leaves no copy", async () => {
  const { message } = await scene("400 days")
  await server.current.run(Effect.flatMap(Retention, (retention) => retention.deleteExpired()))
  expect(await server.current.query("SELECT FROM messages WHERE uid = $1", [message])).toEqual([])
  expect(await jobs(message)).toBe(1)
})

test("a message deleted with its organisation leaves no copy", async () => {
  const { organisation_uid, message } = await scene()
  await server.current.run(
    Effect.flatMap(OrganisationErasure, (erasure) => erasure.erase(OrganisationUid.make(organisation_uid))).pipe(
      Effect.provide(OrganisationErasure.Default)
    )
  )
  expect(await jobs(message)).toBe(1)
})
