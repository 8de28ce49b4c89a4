/** A worker is killed while it renders: another one finishes, once. */
import { expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { SERVICE } from "../support/processes.ts"
import { startServer } from "../support/server.ts"
import { prescriptionWorld } from "./support/world.ts"

/** A file store that accepts requests and never answers: a job that writes to it hangs. */
const silentStore = () => {
  let requested = 0
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: () => {
      requested++
      return new Promise<Response>(() => {})
    }
  })
  return { url: `http://127.0.0.1:${server.port}`, asked: () => requested, stop: () => server.stop(true) }
}

test("a rendering whose worker is killed is completed by the next worker", async () => {
  const store = silentStore()
  const folder = await mkdtemp(join(tmpdir(), "killed-"))
  const web = await startServer({ ROLE: "http" })
  const victim = Bun.spawn([...SERVICE], {
    env: {
      ...process.env,
      DATABASE_URL: web.databaseUrl,
      DATA_DIR: folder,
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      PORT: "0",
      ROLE: "worker",
      LOG_LEVEL: "error",
      FILE_STORE: "s3://prescriptions",
      S3_ENDPOINT: store.url,
      S3_ACCESS_KEY_ID: "x",
      S3_SECRET_ACCESS_KEY: "x"
    },
    stdout: "ignore",
    stderr: "inherit"
  })
  const world = await prescriptionWorld(web)
  const uid = await world.prescription()
  await world.render(uid)
  await eventually(
    async () => store.asked(),
    (asked) => asked > 0,
    120
  )
  victim.kill(9)
  await victim.exited
  expect((await world.get(uid)).body.rendered).toBe(false)
  expect((await world.render(uid)).body.message).toContain("running already")

  // The next worker notices after half a minute that the heartbeat is missing
  const shared = `file:${join(web.dataDir, "files")}`
  const worker = await startServer({ ROLE: "worker", FILE_STORE: shared }, web.databaseUrl)
  const { body } = await eventually(
    () => world.get(uid),
    (answer) => answer.body.rendered,
    280
  )
  expect((await fetch(body.file.url)).status).toBe(200)
  const types = await web.sql<{ type: string }>`SELECT type FROM events WHERE subject = ${uid} ORDER BY position`
  expect(types.map(({ type }) => type)).toEqual(["prescription.render", "prescription.rendered"])
  await worker.stop()
  await web.stop()
  store.stop()
  await rm(folder, { recursive: true })
})
