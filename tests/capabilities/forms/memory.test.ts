/** Memory of the service while files are uploaded, measured in a process of its own (Rule 22.6.6). */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { type Service, startService, temporaryFolder } from "../../support/processes.ts"
import { apiAt, testServer } from "../../support/server.ts"
import { makeWorld } from "../../support/world.ts"
import { clamd } from "./support/clamd.ts"
import { jpegOf } from "./support/pictures.ts"

const MIB = 1024 * 1024
const server = testServer({ ROLE: "http", CLAMAV_URL: "tcp://127.0.0.1:1" })
const folder = temporaryFolder()
const scanner = clamd()
let service: Service

beforeAll(async () => {
  const { databaseUrl: DATABASE_URL } = server.current
  const CLAMAV_URL = `tcp://127.0.0.1:${scanner.port}`
  service = await startService({ DATABASE_URL, CLAMAV_URL, DATA_DIR: folder.path, ROLE: "http", LOG_LEVEL: "error" })
})
afterAll(async () => {
  await service.stop()
  folder.remove()
})

const stateOf = (name: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))?.[1]) * 1024

/** Bytes by which the service grows beyond its rest while this runs. */
const growth = async (work: () => Promise<unknown>) => {
  const rest = stateOf("VmRSS")
  writeFileSync(`/proc/${service.pid}/clear_refs`, "5") // from here on VmHWM is the peak
  await work()
  return stateOf("VmHWM") - rest
}

const scene = async () => {
  const world = await makeWorld(server.current)
  const items = [{ link_id: "picture", type: "file", text: "Foto", repeats: true }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Haut", items })
  const entry = { form_uid: form.body.uid, rules: [] }
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { entry })
  const code = await world.session()
  const body = (bytes: Uint8Array<ArrayBuffer>) => ({ body: bytes, headers: { "content-type": "application/pdf" } })
  return (bytes: Uint8Array<ArrayBuffer>) =>
    apiAt(service.url)("POST", `/v1/scheduling/booking-sessions/${code}/entry/files`, body(bytes))
}

const pdf = new Uint8Array(Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(10 * MIB - 64, "x")]))

test.each([
  ["a PDF", () => pdf],
  ["a picture", () => jpegOf(10 * MIB - 1024)]
])("%s of 10 MiB takes at most 64 MiB", async (_, made) => {
  const upload = await scene()
  const bytes = made()
  // the first one also grows the runtime's pools permanently
  expect((await upload(bytes)).status).toBe(201)
  expect(await growth(async () => expect((await upload(bytes)).status).toBe(201))).toBeLessThan(64 * MIB)
})

test("ten at once are within the bounds of the edge: those beyond are to come again", async () => {
  const uploads = await Promise.all(Array.from({ length: 10 }, scene))
  const statuses: Array<number> = []
  const send = async (upload: (typeof uploads)[number]) => statuses.push((await upload(pdf)).status)
  expect(await growth(() => Promise.all(uploads.map(send)))).toBeLessThan(64 * MIB)
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  await Promise.all(uploads.slice(0, 1).map(send))
  expect(statuses.at(-1)).toBe(201)
})
