/**
 * The cost of hostile requests: `bun bench/hostile.ts [part of an attack's name]`. For each attack on a process of the service: requests, bytes sent,
 * processor time and peak memory above idle per request, and the longest response time of `/healthz` during the attack. On a
 * shared machine an idle service responds late, too: each attack has a control, the same watch without an attack. `blocked` is
 * the processor time that the process itself used until a late response. An attack that misses a goal is repeated at most
 * twice, since other work on the machine only adds to its cost. Exits with 1 if a goal is missed each time.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { organisationPermissions, pharmacyPermissions } from "../src/schemas/access/permissions.ts"
import { freshDatabase, startTestServer } from "../tests/support/postgres.ts"
import { startService, temporaryFolder } from "../tests/support/processes.ts"
import { migrated } from "../tests/support/server.ts"
import type { Silence } from "./harness/healthWatch.ts"
import { holdTogether, type Slowness } from "./harness/heldConnections.ts"
import { cpuMillisOfTree, treeOf } from "./harness/processor.ts"

interface Attack {
  readonly name: string
  readonly requests: number
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: () => string | Buffer
  /** The body is everything that is sent, headers included, over a separate connection. */
  readonly bytes?: boolean
  /** Each is sent over a separate connection, and all are held; what their clients do slowly. */
  readonly slowly?: Slowness
}

/** Per request: milliseconds of processor time, mebibytes of memory. */
const GOALS = { anonymous: { cpu: 100, memory: 5 }, authenticated: { cpu: 300, memory: 64 } }
/** Milliseconds that `/healthz` may be blocked. */
const BLOCKED = 250
const CONTROL_MILLIS = 500

const KEY = "spr_key_of_the_benchmark_organisation"
const PHARMACY_KEY = "spr_key_of_the_benchmark_pharmacy"
const uid = "bench"
const world = {
  organisations: [{ uid, name: "Praxis" }],
  shops: [{ uid, shop_identifier: uid, organisation_uid: uid, pharmacy_uids: [] }],
  pharmacies: [{ uid: "bench_pharmacy", name: "Apotheke" }],
  api_keys: [
    { key: KEY, name: uid, permissions: organisationPermissions, organisation_uid: uid },
    { key: PHARMACY_KEY, name: uid, permissions: pharmacyPermissions, pharmacy_uid: "bench_pharmacy" }
  ],
  doctors: [{ uid, organisation_uid: uid, display_name: "Weber" }],
  appointment_types: [
    {
      uid,
      organisation_uid: uid,
      name: "Consultation",
      meeting_type: "CONSULTATION",
      duration_minutes: 5,
      hold_ttl_seconds: 600,
      rebooking_mode: "same_doctor_only",
      room_strategy: "per_appointment"
    }
  ],
  availability_rules: Array.from({ length: 7 }, (_, weekday) => ({
    uid: `bench_${weekday}`,
    doctor_uid: uid,
    weekday,
    start_time: 0,
    end_time: 1_440
  }))
}

const json = { "content-type": "application/json" }
const search = "/v1/scheduling/slots/search"
const searchHead = `POST ${search} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n`
const beginning = Math.ceil(Date.now() / 1_000)
const month = JSON.stringify({
  shop_uid: uid,
  appointment_type_uid: uid,
  from: beginning,
  to: beginning + 31 * 86_400
})
const many = (bytes: number) => `{"a":[${"{},".repeat(bytes / 3)}{}]}`

/** A PDF with this many streams, each with this many bytes when decompressed. */
const packed = (streams: number, bytes: number, fill: string) => {
  const data = deflateSync(Buffer.alloc(bytes, fill))
  const object = (_: unknown, index: number) => [
    Buffer.from(`${index + 1} 0 obj<</Filter/FlateDecode/Length ${data.length}>>stream\n`),
    data,
    Buffer.from("\nendstream endobj\n")
  ]
  return Buffer.concat([Buffer.from("%PDF-1.7\n"), ...Array.from({ length: streams }, object).flat()])
}

/** A checkout whose prescription is this file. */
const prescribed = (pdf: Buffer) =>
  JSON.stringify({
    prescriptions: [{ id: crypto.randomUUID(), pdf_base64: pdf.toString("base64") }],
    lines: [{ sku_uid: uid, quantity: 1 }],
    patient_data: { first_name: "A", last_name: "B", date_of_birth: 0, gender: "divers" }
  })

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
  {
    name: "an object of 20,000 different keys",
    requests: 20,
    path: search,
    headers: json,
    body: () => JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [i * 40_000, i])))
  },
  { name: "deeply nested", requests: 50, path: search, headers: json, body: () => "[".repeat(500_000) },
  {
    name: "a reason of 500,000 combining marks",
    requests: 20,
    path: "/v1/scheduling/booking-sessions/blc_x/holds",
    headers: json,
    body: () => JSON.stringify({ visit_reason: "\u0315\u0327".repeat(250_000) })
  },
  {
    name: "a wrong key each, 195 KB of event types",
    requests: 50,
    path: "/v1/external_pharmacy_api/webhooks/",
    headers: { ...json, "x-api-key": "x".repeat(40) },
    body: () => JSON.stringify({ url: "https://a.example", event_types: Array.from({ length: 20_000 }, () => "x") })
  },
  {
    name: "195 KB of event types, with a key",
    requests: 20,
    path: "/v1/external_pharmacy_api/webhooks/",
    headers: { ...json, "x-api-key": PHARMACY_KEY },
    body: () => JSON.stringify({ url: "https://a.example", event_types: Array.from({ length: 20_000 }, () => "x") })
  },
  {
    name: "2.4 MB of empty lines, with a key",
    requests: 10,
    path: `/v2/public-api/treatments/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => JSON.stringify({ lines: Array.from({ length: 800_000 }, () => ({})) })
  },
  {
    name: "40 MB of a PDF that is none, with a key",
    requests: 3,
    path: `/v2/public-api/prescriptions/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => prescribed(Buffer.alloc(30e6, "%PDF-1.7 stream "))
  },
  {
    name: "a PDF that unpacks to 600 MB of slashes, with a key",
    requests: 3,
    path: `/v2/public-api/prescriptions/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => prescribed(packed(20, 30e6, "/"))
  },
  {
    name: "a PDF of 20,000 streams, with a key",
    requests: 3,
    path: `/v2/public-api/prescriptions/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => prescribed(packed(20_000, 10, "x"))
  },
  {
    name: "a PDF of 700,000 dictionaries, with a key",
    requests: 3,
    path: `/v2/public-api/prescriptions/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => prescribed(Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(9_800_000, "obj<<>>stream ")]))
  },
  {
    name: "a PDF of 120 MB of escapes in names, with a key",
    requests: 3,
    path: `/v2/public-api/prescriptions/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => prescribed(packed(4, 30e6, "#"))
  },
  {
    name: "a PDF of 3 million keywords, with a key",
    requests: 3,
    path: `/v2/public-api/prescriptions/${uid}`,
    headers: { ...json, "x-api-key": KEY },
    body: () => prescribed(Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(9_800_000, "obj")]))
  },
  {
    name: "a profile of 1 MB, with a key",
    requests: 20,
    path: "/v1/management/patients",
    headers: { ...json, "x-api-key": KEY },
    body: () => JSON.stringify({ shop_uid: uid, profile: { first_name: "x".repeat(1_000_000) } })
  },
  {
    name: "made-up zones",
    requests: 200,
    path: `/meet/booking/blc_x?zone=Europe/${"b".repeat(20)}`,
    method: "GET",
    body: () => ""
  },
  {
    name: "a length announced twice",
    requests: 5,
    path: search,
    bytes: true,
    body: () => `${searchHead}${`content-length: ${60e6}\r\n`.repeat(2)}\r\n${many(60e6)}`
  },
  {
    name: "a million chunks of a byte",
    requests: 10,
    path: search,
    bytes: true,
    body: () => `${searchHead}transfer-encoding: chunked\r\n\r\n${"1\r\n1\r\n".repeat(1e6)}0\r\n\r\n`
  },
  {
    name: "5,000 requests at once over one connection",
    requests: 10,
    path: "/healthz",
    bytes: true,
    body: () => "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n".repeat(5_000)
  },
  {
    name: "1,000 connections of one address, heads slowly",
    requests: 1_000,
    path: search,
    slowly: "sends",
    body: () => searchHead
  },
  {
    name: "200 bodies of 1 MB, slowly",
    requests: 200,
    path: search,
    slowly: "sends",
    body: () => `${searchHead}content-length: 1000000\r\n\r\n[`
  },
  {
    name: "100 answers of 2 MB that nobody reads",
    requests: 100,
    path: search,
    slowly: "reads",
    body: () => `${searchHead}content-length: ${Buffer.byteLength(month)}\r\n\r\n${month}`
  }
]

/** A raw request: `fetch` would normalise the path and add headers. */
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
    sent.on("error", () => resolve(0)) // refused while the body was being sent
    sent.end(body)
  })

/** Sends bytes unchanged, until the connection is closed or they are refused. */
const sendBytes = (port: number, bytes: string | Buffer) =>
  new Promise<number>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    let head = ""
    socket.on("data", (chunk) => {
      head = (head + chunk).slice(0, 16)
      if (!head.startsWith("HTTP/1.1 200")) socket.destroy()
    })
    socket.on("error", () => socket.destroy()) // closed while the rest was being sent
    socket.on("close", () => resolve(Number(head.split(" ")[1] ?? 0)))
    socket.write(bytes)
  })

const residentOf = (pid: number) => {
  const path = `/proc/${pid}/status`
  return existsSync(path) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(path, "utf8"))?.[1] ?? 0) / 1024 : 0
}
/** Of the process and of those that it has started. */
const megabytesOf = (pid: number) => treeOf(pid).reduce((sum, one) => sum + residentOf(one), 0)

await startTestServer()
const folder = temporaryFolder()
const { url } = await freshDatabase(migrated)
const file = join(folder.path, "world.json")
writeFileSync(file, JSON.stringify(world))
const service = await startService({ DATABASE_URL: url, DATA_DIR: folder.path, ROLE: "http", PROVISION_FILE: file })

const watcher = new Worker(new URL("./harness/healthWatch.ts", import.meta.url).href)

const silenceDuring = async (work: () => Promise<unknown>) => {
  watcher.postMessage({ url: `${service.url}/healthz`, pid: service.pid })
  await work()
  const reported = new Promise<Silence>((resolve) => {
    watcher.onmessage = ({ data }) => resolve(data)
  })
  watcher.postMessage(null)
  return reported
}

const attacked = async (attack: Attack) => {
  const body = attack.body()
  const control = await silenceDuring(() => Bun.sleep(CONTROL_MILLIS))
  const [before, memory] = [cpuMillisOfTree(service.pid), megabytesOf(service.pid)]
  let peak = memory
  const statuses = new Set<number>()
  const observing = setInterval(() => {
    peak = Math.max(peak, megabytesOf(service.pid))
  }, 5)
  const { longest, blocked } = await silenceDuring(async () => {
    if (attack.slowly !== undefined)
      for (const status of await holdTogether(service.port, attack.requests, body.toString(), attack.slowly))
        statuses.add(status)
    else
      for (let index = 0; index < attack.requests; index++)
        statuses.add(await (attack.bytes ? sendBytes(service.port, body) : send(service.port, attack, body)))
  })
  clearInterval(observing)
  const cpu = (cpuMillisOfTree(service.pid) - before) / attack.requests
  const each = (peak - memory) / attack.requests
  const goal =
    attack.headers !== undefined && [KEY, PHARMACY_KEY].includes(attack.headers["x-api-key"] ?? "")
      ? GOALS.authenticated
      : GOALS.anonymous
  const isMet = cpu <= goal.cpu && each <= goal.memory && blocked <= BLOCKED
  return {
    attack: attack.name,
    requests: attack.requests,
    "MB in": Math.round((attack.requests * Buffer.byteLength(body)) / 1e5) / 10,
    answers: [...statuses].join(" "),
    "ms CPU each": Math.round(cpu),
    "MB each": Math.round(each * 10) / 10,
    "MB peak": Math.round(peak - memory),
    "ms silence": Math.round(longest),
    "of it blocked": Math.round(blocked),
    "ms idle": Math.round(control.longest),
    goal: isMet ? "met" : "missed"
  }
}

const TRIES = 3
const triedUntilMet = async (attack: Attack) => {
  let row = await attacked(attack)
  for (let tries = 1; tries < TRIES && row.goal === "missed"; tries++) row = await attacked(attack)
  if (row.goal === "missed") process.exitCode = 1
  return row
}

// The first requests of a process cost more; they are not counted
const usual: Attack = { name: "usual", requests: 50, path: search, headers: json, body: () => "{}" }
await attacked(usual)

const rows = []
for (const attack of attacks.filter(({ name }) => name.includes(process.argv[2] ?? ""))) {
  process.stderr.write(`${attack.name}\n`)
  rows.push(await triedUntilMet(attack))
}
console.table(rows)
watcher.terminate()
await service.stop()
folder.remove()
process.exit()
