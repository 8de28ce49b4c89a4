/** The whole service with its files in a bucket. */
import { expect, test } from "bun:test"
import { temporaryFolder } from "../support/processes.ts"
import { startServer } from "../support/server.ts"
import { localS3 } from "./support/s3.ts"
import { prescriptionWorld } from "./support/world.ts"

test("renders into a bucket, serves from it, and signs within it", async () => {
  const folder = temporaryFolder()
  const s3 = await localS3(folder.path)
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
  const { file } = (await world.rendered(uid)).body
  expect((await (await fetch(file.url)).arrayBuffer()).byteLength).toBe(file.size)
  expect((await world.externalSign(uid)).status).toBe(200)
  const signed = (await world.get(uid)).body.file
  expect(await (await fetch(signed.url)).text()).toStartWith("%PDF-1.7")
  await server.stop()
  await s3.close()
  folder.remove()
})

test("a FILE_STORE that is neither folder nor bucket stops the service at its start with a message", async () => {
  for (const FILE_STORE of ["ftp://files", "s3:///nobucket", "files"])
    expect(await startServer({ FILE_STORE }).then(() => "started", String)).toContain("FILE_STORE")
})
