/** The service as a process: its first metrics, and its end. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { eventually } from "../support/eventually.ts"
import { freshDatabase } from "../support/postgres.ts"
import { type Service, startService, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"
import { migrated } from "../support/server.ts"

/** The answer to a plain request for its readiness, read from the socket: `fetch` hides the `connection` header. */
const raw = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n"))
    socket.once("data", (chunk) => {
      socket.destroy()
      resolve(String(chunk).toLowerCase())
    })
    socket.once("error", reject)
  })

const folder = temporaryFolder()
let service: Service
beforeAll(async () => {
  const { url } = await freshDatabase(migrated)
  service = await startService({ DATABASE_URL: url, DATA_DIR: folder.path, SHUTDOWN_GRACE_SECONDS: "2" })
})
afterAll(async () => {
  await service?.stop()
  folder.remove()
})

test("counters exist from the start, so that the first event is an increase", async () => {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  // Of requests, only the routes that were asked for are known
  const counters = [...readFileSync("docs/metrics.md", "utf8").matchAll(/^\| `(\w+)` \| counter \|/gm)].map(
    ([, name = ""]) => name
  )
  const missing = counters.filter((name) => !new RegExp(`^${name}[ {]`, "m").test(text))
  expect([counters.length > 8, missing]).toEqual([true, []])
  for (const outcome of ["held", "taken", "refused"])
    expect(text).toContain(`sprechstunde_holds_total{outcome="${outcome}"} 0\n`)
})

const body = JSON.stringify({ shop_uid: "shop_demo", appointment_type_uid: "aty_demo_consultation", from: 1, to: 2 })

test("after SIGTERM the process is not ready, answers during its grace period, then exits with 0 and stops listening", async () => {
  // a request with a slow body runs as long as the test needs
  const socket = connect(service.port, "127.0.0.1")
  let answer = ""
  socket.on("data", (chunk) => {
    answer += String(chunk)
  })
  const head = `POST /v1/scheduling/slots/search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`)
  const underWay = async () => await (await fetch(`${service.url}/metrics`)).text()
  await eventually(underWay, (text) => text.includes("sprechstunde_http_requests_in_flight 2\n"))
  const ended = service.stop("SIGTERM")
  await eventually(
    () => raw(service.port),
    (ready) => ready.startsWith("http/1.1 503") && ready.includes("connection: close")
  )
  socket.write(body.slice(10))
  await eventually(
    async () => answer,
    (text) => text.includes("HTTP/1.1 200")
  )
  expect((await fetch(`${service.url}/v1/none`)).status).toBe(404)
  expect(await ended).toBe(0)
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
})

if (isLong)
  test("SIGINT on a server with its own database stops both", async () => {
    const folder = temporaryFolder()
    const service = await startService({ DATA_DIR: folder.path })
    expect(await service.stop("SIGINT")).toBe(0)
    expect(await Bun.file(`${folder.path}/postgres/data/postmaster.pid`).exists()).toBe(false)
    folder.remove()
  })
