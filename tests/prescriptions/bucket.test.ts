/** The whole service with its files in a bucket. */
import { expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { startServer } from "../support/server.ts"
import { localS3 } from "./support/s3.ts"
import { prescriptionWorld } from "./support/world.ts"

test("renders into a bucket, serves from it, and signs within it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bucket-"))
  const s3 = await localS3(folder)
  const server = await startServer({
    FILE_STORE: `s3://${s3.settings.bucket}/clinic`,
    S3_ENDPOINT: s3.settings.endpoint,
    AWS_REGION: s3.settings.region,
    AWS_ACCESS_KEY_ID: s3.settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.settings.secretAccessKey
  })
  const world = await prescriptionWorld(server)
  const uid = await world.prescription()
  await world.render(uid)
  const { body } = await eventually(
    () => world.get(uid),
    (answer) => answer.body.rendered
  )
  expect((await (await fetch(body.file.url)).arrayBuffer()).byteLength).toBe(body.file.size)
  expect((await world.externalSign(uid)).status).toBe(200)
  const signed = (await world.get(uid)).body.file
  expect(new TextDecoder().decode(await (await fetch(signed.url)).arrayBuffer())).toStartWith("%PDF-1.7")
  await server.stop()
  await s3.close()
  await rm(folder, { recursive: true })
})

test("a FILE_STORE that is neither folder nor bucket stops the service at its start with a message", async () => {
  for (const FILE_STORE of ["ftp://files", "s3:///nobucket", "files"]) {
    const started = startServer({ FILE_STORE }).then(() => "started", String)
    expect(await started).toContain("FILE_STORE")
  }
})
