/** Files of forms: what is taken, what is left of it, scanning, and who reads it (Rule 22.6). */
import { expect, test } from "bun:test"
import { Effect, Stream } from "effect"
import { accepted } from "../../../src/capabilities/forms/services/pictures.ts"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { type FilePlace, FileStore } from "../../../src/services/prescriptions/FileStore.ts"
import { eventually } from "../../support/eventually.ts"
import { periodicTasks } from "../../support/periodicTasks.ts"
import { sandboxServer, testServer } from "../../support/server.ts"
import { DAY, HOUR, makeWorld } from "../../support/world.ts"
import { clamd, EICAR } from "./support/clamd.ts"
import { EOI, frame, JFIF, SOI, scan, segment } from "./support/pictures.ts"

const scanner = clamd()
const server = sandboxServer({ CLAMAV_URL: `tcp://127.0.0.1:${scanner.port}` })
const without = testServer()

/** Turned to the right, taken at a place. */
const exif = (little = false) => {
  const tiff = Buffer.alloc(26)
  tiff.write(little ? "II" : "MM")
  const put = (at: number, value: number, wide = false) =>
    little
      ? wide
        ? tiff.writeUInt32LE(value, at)
        : tiff.writeUInt16LE(value, at)
      : wide
        ? tiff.writeUInt32BE(value, at)
        : tiff.writeUInt16BE(value, at)
  put(2, 42)
  put(4, 8, true)
  put(8, 1)
  put(10, 0x0112)
  put(12, 3)
  put(14, 1, true)
  put(18, 6)
  return segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff, Buffer.from("GPS 52.5200 13.4050")]))
}
const jpeg = (...extra: ReadonlyArray<Uint8Array>) => Buffer.concat([SOI, JFIF, ...extra, frame(640, 480), scan, EOI])
const chunk = (kind: string, data: Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(kind), data, Buffer.alloc(4)])
}
const png = (width: number, ...extra: ReadonlyArray<Uint8Array>) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(width, 4)
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    magic,
    chunk("IHDR", header),
    ...extra,
    chunk("IDAT", Buffer.alloc(9)),
    chunk("IEND", Buffer.alloc(0))
  ])
}

test("pictures lose their metadata, and what follows their end", () => {
  const archive = Buffer.from("PK\x03\x04 a whole archive")
  for (const little of [false, true]) {
    const picture = Buffer.concat([jpeg(exif(little), segment(0xfe, "a comment"), segment(0xe2, "ICC")), archive])
    const { media_type, bytes } = accepted(picture) ?? { bytes: Buffer.alloc(0) }
    expect(media_type).toBe("image/jpeg")
    const kept = Buffer.from(bytes)
    for (const gone of ["GPS", "a comment", "PK\x03\x04", "ICC"]) expect(kept.includes(gone)).toBe(false)
    // How the camera was held stays, so that the picture is not seen lying on its side
    expect(kept.includes(Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]))).toBe(true)
    expect(Buffer.from(accepted(bytes)?.bytes ?? []).equals(kept)).toBe(true)
  }
  const drawn = Buffer.concat([
    png(64, chunk("tEXt", Buffer.from("Author\0Ada")), chunk("eXIf", Buffer.from("GPS"))),
    archive
  ])
  const kept = Buffer.from(accepted(drawn)?.bytes ?? [])
  expect(kept.equals(png(64))).toBe(true)
})

test.each([
  ["an archive named .jpg", Buffer.from("PK\x03\x04")],
  ["a page", Buffer.from("<html><script>")],
  ["a GIF", Buffer.from("GIF89a")],
  ["a JPEG without its end", Buffer.concat([SOI, JFIF, frame(1, 1), scan])],
  ["a JPEG whose segment ends behind the file", Buffer.concat([SOI, Buffer.from([0xff, 0xe0, 0xff, 0xff])])],
  ["a JPEG without a picture", Buffer.concat([SOI, JFIF, EOI])],
  ["a JPEG of 10,000 × 10,000 pixels", Buffer.concat([SOI, frame(10_000, 10_000), scan, EOI])],
  ["a PNG of 10,000 × 10,000 pixels", png(10_000)],
  ["a PNG without its end", png(64).subarray(0, 60)],
  ["nothing", Buffer.alloc(0)]
])("%s is refused", (_, bytes) => {
  expect(accepted(bytes)).toBeUndefined()
})

/** Of a file in the store. */
const nameOf = (...of: ReadonlyArray<unknown>) =>
  `${new Bun.CryptoHasher("sha256").update(JSON.stringify(of)).digest("hex")}.bin`

const scene = async () => {
  const world = await makeWorld(server.current)
  const items = [{ link_id: "picture", type: "file", text: "Foto", repeats: true }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Haut", items })
  const form_uid = form.body.uid
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { intake: [{ form_uid }] })
  const now = await server.current.now()
  const appointment = await world.booked((Math.floor(now / DAY) + 3) * DAY + 9 * HOUR)
  const link = await world.api("POST", `/v1/management/scheduling/appointments/${appointment}/action-links`, {
    action: "join"
  })
  const at = `/v1/scheduling/appointment-actions/${link.body.code}/intake/${form_uid}`
  const upload = async (bytes: Uint8Array, name = "foto.jpg") => {
    const sent = await fetch(`${server.current.url}${at}/files?name=${encodeURIComponent(name)}`, {
      method: "POST",
      body: new Uint8Array(bytes),
      headers: { "content-type": "image/jpeg" }
    })
    return { status: sent.status, body: (await sent.json()) as Readonly<Record<string, unknown>> }
  }
  const answer = (...picture: ReadonlyArray<unknown>) =>
    server.current.api("PUT", at, { body: { answers: { picture } } })
  const read = async () =>
    (await world.api("GET", `/v1/management/scheduling/appointments/${appointment}/intake`)).body.data
  return { world, upload, answer, read }
}

test("a clean file is read as an attachment for five minutes, by its content's kind", async () => {
  const { world, upload, answer, read } = await scene()
  const added = await upload(jpeg(exif()), 'Röntgen "links"/../.html')
  expect(added).toMatchObject({ status: 201, body: { status: "clean", name: "Röntgen _links__.._.html" } })
  expect((await answer(added.body.uid)).status).toBe(200)
  const [{ files }] = await read()
  expect(files).toMatchObject([
    { uid: added.body.uid, status: "clean", size: added.body.size, sha256: added.body.sha256 }
  ])
  const address = String(files[0]?.url)
  const got = await fetch(address)
  expect([got.status, got.headers.get("content-type"), got.headers.get("x-content-type-options")]).toEqual([
    200,
    "image/jpeg",
    "nosniff"
  ])
  expect(got.headers.get("content-disposition")).toStartWith("attachment;")
  const bytes = Buffer.from(await got.arrayBuffer())
  expect([bytes.length, new Bun.CryptoHasher("sha256").update(bytes).digest("hex")]).toEqual([
    added.body.size,
    added.body.sha256
  ])
  expect((await fetch(`${address}x`)).status).toBe(404)
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 301 })
  expect((await fetch(address)).status).toBe(404)
})

test("answers and files move with a merge, are hidden by an erasure, and deleted once their retention is over; Rules 22.7.2 and 22.7.3", async () => {
  const { world, upload, answer, read } = await scene()
  const { body } = await upload(jpeg(exif()), "photo.jpg")
  expect((await answer(body.uid)).status).toBe(200)
  const patients = "/v1/management/patients"
  const rows = async () =>
    [
      ...(await server.current.sql<{ patient_uid: string }>`SELECT patient_uid FROM form_responses
      WHERE organisation_uid = ${world.organisation_uid}`),
      ...(await server.current.sql<{ patient_uid: string }>`SELECT patient_uid FROM form_files
      WHERE organisation_uid = ${world.organisation_uid}`)
    ].map(({ patient_uid }) => patient_uid)
  const [from] = await rows()
  const into = (await world.api("POST", patients, { shop_uid: world.shop_uid })).body.uid
  expect((await world.api("POST", `${patients}/${from}/merge`, { into })).status).toBe(200)
  expect(await rows()).toEqual([into, into])
  const [{ files }] = await read()
  const address = String(files[0]?.url)
  expect((await fetch(address)).status).toBe(200)
  const erased = await world.api("POST", `${patients}/${into}/erase`, { reason: "asked" })
  expect(erased.status).toBe(200)
  for (const what of ["form_responses", "form_files"]) {
    const kept = erased.body.kept.find((one: { what: string }) => one.what === what)
    expect(kept).toMatchObject({ count: 1, why: expect.stringContaining("sealed") })
    expect(erased.body.erased_at + 3653 * DAY - (kept?.until ?? 0)).toBeWithin(0, HOUR)
  }
  expect([await read(), (await fetch(address)).status, await rows()]).toEqual([[], 404, [into, into]])
  const name = nameOf(world.organisation_uid, body.uid)
  const isStored = () =>
    server.current.run(
      Effect.flatMap(FileStore, (store) => Stream.runDrain(store.read({ area: "uploads", name }))).pipe(
        Effect.isSuccess
      )
    )
  const work = () =>
    server.current.run(
      Effect.flatMap(
        Effect.zipRight(
          Effect.flatMap(Retention, (one) => one.deleteExpired()),
          periodicTasks
        ),
        (tasks) =>
          Effect.forEach(
            tasks.filter(({ name }) => name === "maintenance.form_files"),
            ({ run }) => run
          )
      )
    )
  await work()
  expect([await rows(), await isStored()]).toEqual([[into, into], true])
  for (const table of ["form_responses", "form_files"])
    await server.current.query(
      `UPDATE ${table} SET updated_at = updated_at - interval '3660 days' WHERE organisation_uid = '${world.organisation_uid}'`
    )
  await work()
  expect([await rows(), await isStored()]).toEqual([[], false])
})

test("what is two kinds of file at once is read as one alone, as an attachment that runs nothing; Rule 22.6.7", async () => {
  const { upload, answer, read } = await scene()
  const page = "<script>alert(1)</script>"
  const archive = Buffer.from("PK\x03\x04 a whole archive")
  const hostile = [
    ["image/jpeg", Buffer.concat([jpeg(segment(0xfe, page), segment(0xed, page)), archive])],
    [
      "image/png",
      Buffer.concat([png(64, chunk("tEXt", Buffer.from(page)), chunk("zzZz", archive)), Buffer.from(page)])
    ],
    ["application/pdf", Buffer.from(`%PDF-1.4\n${page}`)]
  ] as const
  const uids: Array<unknown> = []
  for (const [, bytes] of hostile) uids.push((await upload(bytes, "photo.html")).body.uid)
  expect((await answer(...uids)).status).toBe(200)
  const [{ files }] = await read()
  for (const [at, [kind]] of hostile.entries()) {
    const got = await fetch(String(files.find(({ uid }: { uid: string }) => uid === uids[at])?.url))
    expect(got.headers.get("content-type")).toBe(kind)
    expect(got.headers.get("content-disposition")).toStartWith("attachment;")
    expect(got.headers.get("content-security-policy")).toContain("sandbox")
    const text = Buffer.from(await got.arrayBuffer()).toString("latin1")
    if (kind !== "application/pdf") expect(text).not.toMatch(/<script>|PK/)
  }
  for (const bytes of [archive, Buffer.from(page), Buffer.concat([archive, jpeg()])])
    expect((await upload(bytes, "photo.jpg")).status).toBe(400)
})

test("an export leads to the patient's files; Rule 22.7.2", async () => {
  const { world, upload, answer } = await scene()
  const { body } = await upload(jpeg(), "photo.jpg")
  expect((await answer(body.uid)).status).toBe(200)
  const [{ patient_uid }] = (await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")).body
    .data
  const exported = (await world.api("POST", `/v1/management/patients/${patient_uid}/export`)).body
  expect(exported.form_responses).toMatchObject([
    { files: [{ uid: body.uid, name: "photo.jpg", sha256: body.sha256 }] }
  ])
  expect((await fetch(String(exported.form_responses[0].files[0].url))).status).toBe(200)
})

test("a restricted patient adds no file, and those that are there stay readable; Rule 22.4.2", async () => {
  const { world, upload, answer, read } = await scene()
  const { body } = await upload(jpeg())
  expect((await answer(body.uid)).status).toBe(200)
  const [{ patient_uid }] = (await world.api("GET", "/v1/management/scheduling/appointments?status=confirmed")).body
    .data
  await world.api("POST", `/v1/management/patients/${patient_uid}/restrict`, { restricted: true })
  expect(await upload(jpeg())).toMatchObject({ status: 400, body: { code: "patient_restricted" } })
  const [{ files }] = await read()
  expect([files.length, (await fetch(String(files[0]?.url))).status]).toEqual([1, 200])
})

test("EICAR is rejected, and no answer; of rejected files the newest ten are told of", async () => {
  const { world, upload, answer, read } = await scene()
  const added = await upload(Buffer.from(`%PDF-1.4\n${EICAR}`))
  expect(added).toMatchObject({ status: 201, body: { status: "rejected" } })
  const refused = await answer(added.body.uid)
  expect(refused.body.error).toEqual(["answers.picture: must be the uid of a file of this form that is not rejected"])
  expect((await answer("fil_of_another")).status).toBe(400)
  expect(await read()).toMatchObject([{ updated_at: null, answers: {}, files: [] }])
  const others = []
  for (let at = 0; at < 11; at++) others.push((await upload(Buffer.from(`%PDF-1.4\n${EICAR}`))).body.uid)
  const rows = await server.current.sql<{ uid: string }>`SELECT uid FROM form_files
    WHERE organisation_uid = ${world.organisation_uid} ORDER BY created_at, uid`
  expect(rows.map(({ uid }) => uid)).toEqual(others.slice(1).map(String))
})

test("while the scanner is away nobody reads a file; it is scanned once the scanner is back", async () => {
  const { world, upload, answer, read } = await scene()
  await scanner.stop()
  const added = await upload(jpeg())
  expect(added).toMatchObject({ status: 201, body: { status: "scanning" } })
  expect((await answer(added.body.uid)).status).toBe(200)
  expect(await read()).toMatchObject([{ files: [{ status: "scanning", url: null, expires_at: null }] }])
  await scanner.start()
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 61 })
  expect(await read()).toMatchObject([{ files: [{ status: "clean", url: expect.any(String) }] }])
})

test("a file that is taken back while it is scanned stays so", async () => {
  const { world, upload } = await scene()
  const statuses = async () =>
    (
      await server.current.sql<{ status: string }>`SELECT status FROM form_files
        WHERE organisation_uid = ${world.organisation_uid}`
    ).map(({ status }) => status)
  scanner.pause(true)
  const added = upload(jpeg())
  await eventually(statuses, (found) => found.includes("scanning"))
  await server.current.sql`UPDATE form_files SET status = 'expired', scan_after = updated_at
    WHERE organisation_uid = ${world.organisation_uid}`
  scanner.pause(false)
  await added
  expect(await statuses()).not.toContain("clean")
})

test.each([
  ["lost", (store: FileStore["Type"], at: FilePlace) => store.delete(at)],
  ["altered", (store: FileStore["Type"], at: FilePlace) => store.put(at, Buffer.alloc(200))]
])("a file whose content is %s keeps no other from being scanned", async (_, harm) => {
  const { world, upload, answer, read } = await scene()
  await scanner.stop()
  const uids = [(await upload(jpeg())).body.uid, (await upload(jpeg())).body.uid]
  expect((await answer(...uids)).status).toBe(200)
  const at = { area: "uploads", name: nameOf(world.organisation_uid, uids[0]) } as const
  await server.current.run(Effect.flatMap(FileStore, (store) => harm(store, at)))
  await scanner.start()
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 61 })
  expect(await read()).toMatchObject([{ files: [{ status: "scanning" }, { status: "clean" }] }])
})

test("a file whose name cannot be read keeps no other from being scanned", async () => {
  const { world, upload } = await scene()
  await scanner.stop()
  const uids = [(await upload(jpeg())).body.uid, (await upload(jpeg())).body.uid]
  await server.current
    .sql`UPDATE form_files SET name_encrypted = (SELECT name_encrypted FROM form_files WHERE uid = ${String(uids[1])})
    WHERE uid = ${String(uids[0])}`
  await scanner.start()
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 61 })
  const rows = await server.current
    .sql`SELECT status FROM form_files WHERE organisation_uid = ${world.organisation_uid}`
  expect(rows.map(({ status }) => status)).toEqual(["clean", "clean"])
})

test("a form has ten files, also when they come at once; the edge bounds their size", async () => {
  const { upload } = await scene()
  for (let at = 0; at < 8; at++) expect((await upload(png(64))).status).toBe(201)
  const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await upload(png(64))).status))
  expect(statuses.toSorted()).toEqual([201, 201, 409, 409])
  expect((await upload(Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413)
})

test("without a scanner there are no files", async () => {
  const world = await makeWorld(without.current)
  const items = [{ link_id: "picture", type: "file", text: "Foto" }]
  const form = await world.api("POST", "/v1/management/forms", { title: "Haut", items })
  expect(form).toMatchObject({ status: 400, body: { code: "files_off" } })
})
