/** Prescription management over HTTP (Rules 9.1 to 9.4). */
import { beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Envelope } from "../../src/services/sealing/Envelope.ts"
import { eventually } from "../support/eventually.ts"
import { openedEvents } from "../support/records.ts"
import { sized } from "../support/scale.ts"
import { sandboxServer } from "../support/server.ts"
import { qpdfCheck, textOf } from "./support/pdf-tools.ts"
import { PATIENT, type PrescriptionWorld, prescriptionWorld } from "./support/world.ts"

const server = sandboxServer()
const CALLERS = sized(6, 20)
let world: PrescriptionWorld
beforeAll(async () => {
  world = await prescriptionWorld(server.current)
})

/** Some items have an anamnesis. */
const mixedItems = () =>
  [{}, { anamnesis_uid: "ana_1" }].map((one) => ({ sku_uid: world.sku_uid, quantity: 1, ...one }))

const eventsOf = async (uid: string, type: string) =>
  (await openedEvents(server.current, (sql) => sql`subject = ${uid} AND type = ${type}`)).map(({ data }) => ({ data }))

describe("reading", () => {
  test("shows status in lower case, doctor and items, but no patient data", async () => {
    const uid = await world.prescription()
    const { status, body } = await world.get(uid)
    expect(status).toBe(200)
    expect(body).toEqual({
      uid,
      status: "waiting_for_doctor",
      doctor: { uid: world.doctor_uid, display_name: "Dr. Ärztin" },
      rendered: false,
      file: null,
      items: [{ uid: "item_1", sku_uid: world.sku_uid, quantity: 2, dosage: "1-0-1", anamnesis_uid: null }],
      signature: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number)
    })
    expect((await world.get(await world.prescription({ doctor_uid: null }))).body.doctor).toBeNull()
  })
})

describe("rendering", () => {
  test("answers 202 at once; then the PDF is available at an address", async () => {
    const uid = await world.prescription()
    const started = await world.render(uid)
    expect(started).toMatchObject({ status: 202, body: { uid, message: "Rendering has started" } })
    const { body } = await eventually(
      () => world.get(uid),
      (answer) => answer.body.rendered
    )
    expect(body.status).toBe("waiting_for_doctor")
    const response = await fetch(body.file.url)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/pdf")
    expect(response.headers.get("cache-control")).toContain("no-store")
    const pdf = new Uint8Array(await response.arrayBuffer())
    expect(pdf.length).toBe(body.file.size)
    expect(new Bun.CryptoHasher("sha256").update(pdf).digest("hex")).toBe(body.file.sha256)
    await qpdfCheck(pdf)
    const text = await textOf(pdf)
    const { first_name, last_name } = PATIENT
    for (const part of [uid, `${first_name} ${last_name}`, "Dr. Ärztin", "Ibuprofen", "2 × 20 Stück", "1-0-1"])
      expect(text).toContain(part)
  })

  test("happens once, however often it is requested", async () => {
    const uid = await world.prescription()
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => world.render(uid)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
    expect(answers.filter(({ body }) => body.message === "Rendering has started")).toHaveLength(1)
    await world.rendered(uid)
    expect((await world.render(uid)).body.message).toContain("nothing was started")
    expect(await eventsOf(uid, "prescription.render")).toHaveLength(1)
    expect(await eventsOf(uid, "prescription.rendered")).toHaveLength(1)
  })

  test("works for mixed prescriptions, and does not start for one that is not waiting for a doctor", async () => {
    const mixed = await world.prescription({ items: mixedItems() })
    expect((await world.render(mixed)).status).toBe(202)
    await world.rendered(mixed)
    const signed = await world.prescription({ status: "SIGNED" })
    const answer = await world.render(signed)
    expect(answer).toMatchObject({ status: 202, body: { uid: signed } })
    expect(answer.body.message).toContain("nothing was started")
    expect(await eventsOf(signed, "prescription.render")).toHaveLength(0)
  })
})

describe("a file's address", () => {
  // Shows: a stolen booking token or code
  test("is valid for five minutes of domain time, and not when altered", async () => {
    const { url } = (await world.get(await world.filed())).body.file as { url: string }
    const [head, token = ""] = url.split("/v1/prescription-files/")
    const [text = "", mac = ""] = token.split(".")
    const names = JSON.parse(Buffer.from(text, "base64url").toString())
    const forged = Buffer.from(JSON.stringify([names[0], names[1], names[2] + 9])).toString("base64url")
    const flippedMac = (mac.startsWith("A") ? "B" : "A") + mac.slice(1)
    const bad = [
      `${forged}.${mac}`,
      `${text}.${flippedMac}`,
      text,
      `${text}.`,
      `.${mac}`,
      `${token}.x`,
      `${token}=`,
      "x"
    ]
    for (const one of bad) expect((await fetch(`${head}/v1/prescription-files/${one}`)).status).toBe(404)
    await server.current.advance(200)
    expect((await fetch(url)).status).toBe(200)
    await server.current.advance(101)
    expect(await (await fetch(url)).json()).toMatchObject({ code: "not_found" })
  })
})

describe("external signing", () => {
  test("copies the file, sets the status, writes the log in the key's name and tells the pharmacy", async () => {
    const uid = await world.filed()
    const before = (await world.get(uid)).body.file
    expect(await world.externalSign(uid)).toMatchObject({ status: 200, body: { uid, status: "EXTERNALLY_SIGNED" } })
    const { body } = await world.get(uid)
    expect(body).toMatchObject({ status: "externally_signed", rendered: true, signature: null })
    expect(body.file).toMatchObject({ sha256: before.sha256, size: before.size })
    expect((await fetch(body.file.url)).status).toBe(200)
    // One statement each: joining a distributed table with one on the coordinator crashes Citus
    const log = await server.current.sql`
      SELECT trigger, from_status, to_status, actor_kind, actor_uid FROM prescription_log WHERE prescription_uid = ${uid}`
    const [signed] = log
    const keys = await server.current
      .sql`SELECT uid FROM api_keys WHERE uid = ${signed?.actor_uid ?? ""} AND name = 'all'`
    expect(log).toEqual([
      {
        trigger: "external_sign",
        from_status: "WAITING_FOR_DOCTOR",
        to_status: "EXTERNALLY_SIGNED",
        actor_kind: "api_key",
        actor_uid: keys[0]?.uid
      }
    ])
    const [event, ...more] = await eventsOf(uid, "pharmacy_manager.send_prescription")
    expect(more).toEqual([])
    expect(event?.data).toMatchObject({
      prescription: { uid, status: "externally_signed" },
      actor: { kind: "api_key" }
    })
    expect(JSON.stringify(event)).not.toContain(before.url)
  })

  test("takes no PDF: each prescription gets the copy of its own, whatever the request contains; Rule 9.4.5", async () => {
    const [one, other] = [await world.filed(), await world.filed()]
    const hashOf = async (uid: string) => (await world.get(uid)).body.file.sha256
    const [own, foreign] = [await hashOf(one), await hashOf(other)]
    expect(own).not.toBe(foreign)
    const pdf_base64 = Buffer.from(`%PDF-1.7 ${other}`).toString("base64") // its file
    const body = { prescription_uid: other, pdf_base64, file: { sha256: foreign } }
    const path = `/v1/management/prescriptions/${one}/external-sign`
    expect((await world.api("POST", path, body)).status).toBe(200)
    expect([await hashOf(one), await hashOf(other)]).toEqual([own, foreign])
    expect((await world.get(other)).body.status).toBe("waiting_for_doctor")
  })

  test("is 409 before rendering, with an anamnesis, and for every other status", async () => {
    const refused = async (uid: string, code: string) =>
      expect(await world.externalSign(uid)).toMatchObject({ status: 409, body: { code } })
    await refused(await world.prescription(), "not_rendered")
    const mixed = await world.filed({ items: mixedItems() })
    await refused(mixed, "has_anamnesis")
    expect((await world.get(mixed)).body.status).toBe("waiting_for_doctor")
    for (const status of ["EXTERNALLY_SIGNED", "SIGNED", "DISPATCHED", "COMPLETED", "CANCELLED"])
      await refused(await world.prescription({ status }), "not_waiting_for_doctor")
  })
})

describe("cancelling", () => {
  test("is logged with its reason, in the key's name, and done once", async () => {
    const uid = await world.filed()
    expect(await world.cancel(uid)).toMatchObject({ status: 200, body: { uid, status: "CANCELLED" } })
    expect((await world.get(uid)).body.status).toBe("cancelled")
    expect(await world.cancel(uid)).toMatchObject({ status: 409, body: { code: "not_cancellable" } })
    expect((await world.externalSign(uid)).status).toBe(409)
    const log = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { openRows } = yield* Envelope
        return yield* openRows("prescription_log", ["organisation_uid", "prescription_uid", "uid"])(
          sql`SELECT * FROM prescription_log WHERE prescription_uid = ${uid}`
        )
      })
    )
    expect(log).toMatchObject([{ trigger: "cancel", reason: "Entered twice", actor_kind: "api_key" }])
  })

  test("is refused without a reason and when completed", async () => {
    const uid = await world.prescription()
    const error = [expect.stringMatching(/^reason: /)]
    for (const body of [{}, { reason: " " }, { reason: 1 }])
      expect(await world.cancel(uid, body)).toMatchObject({ status: 400, body: { error } })
    expect((await world.cancel(await world.prescription({ status: "COMPLETED" }))).status).toBe(409)
    expect((await world.get(uid)).body.status).toBe("waiting_for_doctor")
  })
})
