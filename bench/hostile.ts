/**
 * What hostile requests cost: `bun bench/hostile.ts`. For each attack on a process of the service: requests, bytes sent, the
 * process's processor time, its peak of memory above rest, and the longest time that `/healthz` took to answer meanwhile.
 */
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { freshDatabase, startTestServer } from "../tests/support/postgres.ts"
import { startService, temporaryFolder } from "../tests/support/processes.ts"
import { migrated } from "../tests/support/server.ts"

interface Attack {
  readonly name: string
  readonly requests: number
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: () => string | Buffer
}

const json = { "content-type": "application/json" }
const search = "/v1/scheduling/slots/search"
const many = (bytes: number) => `{"a":[${"{},".repeat(bytes / 3)}{}]}`

const attacks: ReadonlyArray<Attack> = [
  { name: "many small values, 1 MB", requests: 20, path: search, headers: json, body: () => many(1_000_000) },
  {
    name: "60 MB to a path in capitals",
    requests: 3,
    path: search.toUpperCase(),
    headers: json,
    body: () => many(60e6)
  },
  { name: "60 MB to a doubled slash", requests: 3, path: `/${search}`, headers: json, body: () => many(60e6) },
  { name: "60 MB to the search itself", requests: 3, path: search, headers: json, body: () => many(60e6) },
  {
    name: "multipart, 60 MB",
    requests: 3,
    path: search,
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: () =>
      Buffer.concat([
        Buffer.from("--x\r\ncontent-disposition: form-data; name=a; filename=a\r\n\r\n"),
        Buffer.alloc(60e6)
      ])
  },
  { name: "deeply nested", requests: 50, path: search, headers: json, body: () => "[".repeat(500_000) },
  {
    name: "a wrong key each, 195 KB of event types",
    requests: 50,
    path: "/v1/external_pharmacy_api/webhooks/",
    headers: { ...json, "x-api-key": "x".repeat(40) },
    body: () => JSON.stringify({ url: "https://a.example", event_types: Array.from({ length: 20_000 }, () => "x") })
  },
  {
    name: "made-up zones",
    requests: 200,
    path: `/meet/booking/blc_x?zone=Europe/${"b".repeat(20)}`,
    method: "GET",
    body: () => ""
  }
]

/** One request by hand: `fetch` would tidy the path up and set headers of its own. */
const send = (port: number, { path, method = "POST", headers = {} }: Attack, body: string | Buffer) =>
  new Promise<number>((resolve) => {
    const sent = request({
      port,
      host: "127.0.0.1",
      path,
      method,
      headers: { ...headers, "content-length": Buffer.byteLength(body) }
    })
    sent.on("response", (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode ?? 0))
    })
    sent.on("error", () => resolve(0)) // refused while the body was still on its way
    sent.end(body)
  })

const ticksOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return Number(fields[11]) + Number(fields[12])
}
const TICK_MILLIS = 10
const megabytesOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

await startTestServer()
const folder = temporaryFolder()
const { url } = await freshDatabase(migrated)
const service = await startService({ DATABASE_URL: url, DATA_DIR: folder.path, ROLE: "http" })

const attacked = async (attack: Attack) => {
  const body = attack.body()
  const [ticks, memory] = [ticksOf(service.pid), megabytesOf(service.pid)]
  let running = true
  let [peak, silence] = [memory, 0]
  const watching = (async () => {
    while (running) {
      const start = performance.now()
      await fetch(`${service.url}/healthz`)
      silence = Math.max(silence, performance.now() - start)
      peak = Math.max(peak, megabytesOf(service.pid))
      await Bun.sleep(10)
    }
  })()
  const statuses = new Set<number>()
  for (let index = 0; index < attack.requests; index++) statuses.add(await send(service.port, attack, body))
  running = false
  await watching
  return {
    attack: attack.name,
    requests: attack.requests,
    "MB in": Math.round((attack.requests * Buffer.byteLength(body)) / 1e5) / 10,
    answers: [...statuses].join(" "),
    "ms CPU each": Math.round(((ticksOf(service.pid) - ticks) * TICK_MILLIS) / attack.requests),
    "MB peak": Math.round(peak - memory),
    "ms silence": Math.round(silence)
  }
}

const rows = []
for (const attack of attacks) {
  process.stderr.write(`${attack.name}\n`)
  rows.push(await attacked(attack))
}
console.table(rows)
await service.stop()
folder.remove()
process.exit(0)
