/** A worker is killed while it renders: another one finishes, once. */
import { expect, test } from "bun:test"
import { BucketStandIn } from "../checkout/support/bucket.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { startServer } from "../support/server.ts"
import { prescriptionWorld } from "./support/world.ts"

test("a rendering whose worker is killed is completed by the next worker", async () => {
  // a job that writes to it hangs
  const bucket = new BucketStandIn()
  const reached = new Promise<void>((resolve) => {
    bucket.passing = async () => {
      resolve()
      await new Promise<void>(() => {})
    }
  })
  const folder = temporaryFolder()
  const web = await startServer({ ROLE: "http" })
  const { databaseUrl: DATABASE_URL, dataDir } = web
  const settings = { DATABASE_URL, ROLE: "worker", LOG_LEVEL: "error" }
  const victim = await startService({ ...settings, DATA_DIR: folder.path, ...bucket.environment })
  const world = await prescriptionWorld(web)
  const uid = await world.prescription()
  await world.render(uid)
  await reached
  await victim.stop("SIGKILL")
  expect((await world.get(uid)).body.rendered).toBe(false)
  expect((await world.render(uid)).body.message).toContain("running already")

  // The next worker notices after half a minute that the heartbeat is missing
  const worker = await startService({ ...settings, DATA_DIR: dataDir })
  const { body } = await world.rendered(uid)
  expect((await fetch(body.file.url)).status).toBe(200)
  const types = await web.sql`SELECT type FROM events WHERE subject = ${uid} ORDER BY position`
  expect(types).toEqual([{ type: "prescription.render" }, { type: "prescription.rendered" }])
  await worker.stop()
  await web.stop()
  await bucket.stop()
  folder.remove()
}, 300_000)
