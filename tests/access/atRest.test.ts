/** Health data at rest: sealed with a key for each organisation, which can be rotated and destroyed. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DataKeyRotation } from "../../src/capabilities/key-rotation/services/DataKeyRotation.ts"
import { OrganisationErasure } from "../../src/capabilities/record-commands/services/OrganisationErasure.ts"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { Database } from "../../src/services/database/Database.ts"
import { Envelope } from "../../src/services/sealing/Envelope.ts"
import type { CurrentTenant } from "../../src/services/tenancy/Tenancy.ts"
import { prescriptionWorld } from "../prescriptions/support/world.ts"
import { isLong } from "../support/scale.ts"
import { ownServer, startServer, type TestServer } from "../support/server.ts"
import { filesIn, rowsByTable } from "../support/stored.ts"
import { inDays } from "../support/world.ts"

const server = ownServer()

/** Marker texts to search for. */
const CANARIES = {
  visit_reason: "canary-reason-Hämorrhoiden",
  cancellation_reason: "canary-cancelled-because",
  dosage: "canary-dosage-3x täglich",
  prescription_reason: "canary-entered-twice"
}

/** An organisation with each of the texts and a rendered PDF. */
const planted = async (at: TestServer, day: number) => {
  const world = await prescriptionWorld(at)
  const { visit_reason } = CANARIES
  const appointment = await world.booked(inDays(day), "anna", { visit_reason })
  const prescription = await world.prescription({
    items: [{ uid: "item_1", sku_uid: world.sku_uid, quantity: 2, dosage: CANARIES.dosage }]
  })
  await world.render(prescription)
  await world.rendered(prescription)
  const cancelled = await world.prescription()
  expect((await world.cancel(cancelled, { reason: CANARIES.prescription_reason })).status).toBe(200)
  return { world, appointment, prescription }
}

// Shows: a stolen database or backup
test("no database row contains free text or a secret in clear, and no stored file contains a PDF in clear (Rules 15.1.1 and 15.1.2)", async () => {
  const { world, appointment, prescription } = await planted(server.current, 2)
  const cancelled = await world.api("POST", `/v1/management/scheduling/appointments/${appointment}/cancel`, {
    reason: CANARIES.cancellation_reason
  })
  expect(cancelled.status).toBe(200)
  const secrets = [world.secret, world.key, await world.session("anna")]
  const rows = (await rowsByTable(server.current)).map(({ text }) => text).join("\n")
  expect(rows).toContain(appointment)
  for (const text of [...Object.values(CANARIES), ...secrets]) expect(rows).not.toContain(text)
  const stored = filesIn(join(server.current.dataDir, "files"))
  expect(stored.length).toBeGreaterThan(0)
  for (const path of stored) expect(readFileSync(path).includes("%PDF-")).toBe(false)

  const shown = await world.api("GET", `/v1/management/scheduling/appointments/${appointment}`)
  const { visit_reason, cancellation_reason } = CANARIES
  expect(shown.body).toMatchObject({ visit_reason, cancellation_reason })
  const { body } = await world.get(prescription)
  expect(body.items).toMatchObject([{ dosage: CANARIES.dosage }])
  const pdf = await fetch(body.file.url)
  const bytes = await pdf.bytes()
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe("%PDF-")
  expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(body.file.sha256)
})

test("a sealed value that was moved to another row, column or owner fails to decrypt", async () => {
  const values = await server.current.run(
    Effect.gen(function* () {
      const envelope = yield* Envelope
      const at = { table: "appointments", column: "visit_reason_encrypted", row: ["org_a", "apt_1"] } as const
      const sealed = yield* envelope.sealed(at, "text")
      const places = [
        at,
        { ...at, row: ["org_a", "apt_2"] as const },
        { ...at, table: "prescriptions" },
        { ...at, column: "note_encrypted" as const },
        { ...at, row: ["org_b", "apt_1"] as const }
      ]
      return yield* Effect.forEach(places, (place) =>
        Effect.catchAllDefect(envelope.open(place, sealed), (defect) => Effect.succeed(String(defect)))
      )
    })
  )
  const elsewhere = expect.stringContaining("was not sealed for the row")
  const otherOwner = expect.stringContaining("There is no data key")
  expect(values).toEqual(["text", elsewhere, elsewhere, elsewhere, otherOwner])
})

test("a file that was truncated, or whose chunks were swapped, is not served", async () => {
  const { world, prescription } = await planted(server.current, 3)
  const { body } = await world.get(prescription)
  const [row] = await server.current.sql<{
    name: string
  }>`SELECT name FROM files WHERE prescription_uid = ${prescription}`
  const path = join(server.current.dataDir, "files", "unsigned", row?.name ?? "")
  const whole = readFileSync(path)
  for (const changed of [whole.subarray(0, -1), whole.subarray(0, 20), Buffer.concat([whole, Buffer.from("x")])]) {
    await Bun.write(path, changed)
    const answer = await fetch(body.file.url)
      .then((response) => response.text())
      .catch(() => "")
    expect(answer).not.toContain("%PDF-")
  }
  await Bun.write(path, whole)
  expect((await (await fetch(body.file.url)).bytes()).length).toBe(body.file.size)
})

test("a data key that was rolled back is not used again", async () => {
  const owner = "org_rolled_back"
  const at = { table: "appointments", column: "visit_reason_encrypted", row: [owner, "apt_1"] } as const
  const text = await server.current.run(
    Effect.gen(function* () {
      const envelope = yield* Envelope
      const { transaction } = yield* Database
      const rolledBack = Effect.zipRight(envelope.sealed(at, "first"), envelope.sealed(at, "second"))
      yield* Effect.exit(transaction(Effect.zipRight(rolledBack, Effect.fail("no"))))
      const sealed = yield* envelope.sealed(at, "stays")
      const sql = yield* SqlClient.SqlClient
      const kept = yield* sql<{ id: string }>`SELECT id FROM data_keys WHERE owner_uid = ${owner}`
      expect(kept.map(({ id }) => id)).toEqual([sealed.slice(0, 12)])
      return yield* envelope.open(at, sealed)
    })
  )
  expect(text).toBe("stays")
})

if (isLong)
  test("a key is rotated while another process keeps reading and sealing (Rule 15.1.4)", async () => {
    const { world, appointment, prescription } = await planted(server.current, 4)
    const owner = world.organisation_uid
    const other = await startServer({ ROLE: "http" }, server.current.databaseUrl)
    const read = (at: TestServer, uid: string) =>
      at.api("GET", `/v1/management/scheduling/appointments/${uid}`, { key: world.key })
    expect((await read(other, appointment)).body.visit_reason).toBe(CANARIES.visit_reason)

    const rotation = <A>(of: (rotation: DataKeyRotation) => Effect.Effect<A, never, CurrentTenant>) =>
      server.current.run(Effect.flatMap(DataKeyRotation, of))
    const begun = await rotation(({ begin }) => begin(owner))
    expect(begun.values).toBeGreaterThan(2)
    expect(begun.files).toBe(1)
    // The other process still seals with the key that it has read
    const late = await world.bookByKey({ start_date: inDays(5), visit_reason: "sealed late" }, undefined, other)
    expect(late.status).toBe(201)
    expect((await read(other, appointment)).body.visit_reason).toBe(CANARIES.visit_reason)
    const finished = await rotation(({ finish }) => finish(owner))
    expect(finished.values).toBeGreaterThan(0)
    expect(finished.deleted).toBe(1)
    expect(await rotation(({ finish }) => finish(owner))).toEqual({ values: 0, files: 0, deleted: 0 })
    for (const at of [server.current, other]) {
      expect((await read(at, appointment)).body.visit_reason).toBe(CANARIES.visit_reason)
      expect((await read(at, late.body.uid)).body.visit_reason).toBe("sealed late")
    }
    const { body } = await world.get(prescription)
    expect(body.items).toMatchObject([{ dosage: CANARIES.dosage }])
    expect((await (await fetch(body.file.url)).bytes()).length).toBe(body.file.size)
    await other.stop()
  })

test("an erased organisation remains only in the audit log and the pharmacies' orders, and its key is destroyed (Rule 15.1.5)", async () => {
  const [gone, stays] = [await planted(server.current, 6), await planted(server.current, 7)]
  const owner = OrganisationUid.make(gone.world.organisation_uid)
  const before = filesIn(join(server.current.dataDir, "files")).length
  const { erased } = await server.current.run(Effect.flatMap(OrganisationErasure, ({ erase }) => erase(owner)))
  const counts = new Map(erased.map(({ what, count }) => [what, count]))
  expect(counts.get("appointments")).toBe(1)
  expect(counts.get("data_keys")).toBe(1)
  expect(filesIn(join(server.current.dataDir, "files"))).toHaveLength(before - 1)
  const left = (await rowsByTable(server.current))
    .filter(({ name, text }) => !name.startsWith("audit_") && text.includes(owner))
    .map(({ name }) => name)
  // The names of a provisioning file's entries, so that applying the file again does not recreate it
  expect(left).toEqual(["provisioned_entries"])
  expect((await gone.world.api("GET", "/v1/management/scheduling/appointments")).status).toBe(401)
  const again = await server.current.run(Effect.flip(Effect.flatMap(OrganisationErasure, ({ erase }) => erase(owner))))
  expect(again).toMatchObject({ _tag: "OrganisationNotFound" })
  const shown = await stays.world.api("GET", `/v1/management/scheduling/appointments/${stays.appointment}`)
  expect(shown.body.visit_reason).toBe(CANARIES.visit_reason)
})
