/**
 * Servers of others that hang, answer a byte at a time, never end their headers or send without end, asked on behalf of one organisation by
 * all that makes the service call one: `bun bench/hostileServers.ts [minutes]`, 5 by default. A second organisation beside it sends
 * requests without a pause; the median of each minute must stay under twice its quiet median, and every one must be answered. At the end
 * SIGTERM must end the process. Exits with 1 if a goal is missed.
 */
import { readFileSync } from "node:fs"
import { fhirWorld, smartClient } from "../tests/capabilities/fhir/support.ts"
import { makeShop } from "../tests/checkout/support/shop.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startService, temporaryFolder } from "../tests/support/processes.ts"
import { apiAt, startServer } from "../tests/support/server.ts"
import { inDays, random } from "../tests/support/world.ts"
import type { Broken, Repeated, Tally } from "./harness/attackers.ts"

const minutes = Number(process.argv[2] ?? 5)
const QUIET_SECONDS = 20
const FACTOR_MAX = 2
const EXIT_SECONDS = 60

const attackers = new Worker(new URL("./harness/attackers.ts", import.meta.url).href)
/** The worker's answer to a message. */
const answerTo = <A>(message: unknown) =>
  new Promise<A>((resolve) => {
    attackers.onmessage = ({ data }) => resolve(data)
    attackers.postMessage(message)
  })
const broken = await answerTo<Broken>("start")

await startTestServer()
const folder = temporaryFolder()
// Makes the records; the measured service is a process of its own
const maker = await startServer({ ROLE: "http" })
const service = await startService({
  DATABASE_URL: maker.databaseUrl,
  DATA_DIR: folder.path,
  WEBHOOK_ALLOW_PRIVATE: "true",
  PROVISION_FILE: new URL("../tests/support/nothing.json", import.meta.url).pathname,
  OIDC_ISSUER: broken.url,
  FILE_STORE: "s3://files/prescriptions",
  S3_ENDPOINT: broken.url,
  S3_REGION: "us-east-1",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
  SMTP_URL: broken.mailUrl,
  SMS_URL: broken.url,
  OTEL_EXPORTER_OTLP_ENDPOINT: broken.url,
  RATE_LIMIT_PER_SECOND: "10",
  RATE_LIMIT_KEY_PER_SECOND: "200",
  LOG_LEVEL: "error"
})
const served = { ...maker, url: service.url, api: apiAt(service.url) }

const settings = { kind: "shopify", shop_domain: broken.url, admin_access_token: "a", storefront_access_token: "b" }
const hostile = await makeShop(served, { storefront: { ...settings, webhook_secret: random("whs") } })
await hostile.provision({ organisations: [{ uid: hostile.organisation_uid, name: "Praxis", fhir: { enabled: true } }] })
const client = await smartClient(served, hostile, ["system/Slot.rs"])
const { jwks: _, ...entry } = client.entry
await hostile.provision({ fhir_clients: [{ ...entry, jwks_uri: `${broken.url}/keys` }] })
const stored = await makeShop(served)
const quiet = await fhirWorld(served)

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const form = new URLSearchParams({
  grant_type: "client_credentials",
  scope: "system/Slot.rs",
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  // Longer than the run; never examined, since the keys do not come
  client_assertion: await client.assertion()
})
const json = (key: string) => ({ "content-type": "application/json", "x-api-key": key })
const post = (
  name: string,
  [lanes, pause]: readonly [number, number],
  path: string,
  headers: Repeated["headers"],
  body: unknown
): Repeated => ({
  name,
  lanes,
  pause,
  url: service.url + path,
  method: "POST",
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body)
})
const sources = `/v1/management/scheduling/doctors/${hostile.doctors[0]}/busy-sources`
const calendar = (kind: string) => ({ kind, name: kind, url: `${broken.url}/${kind}` })
const urlEncoded = { "content-type": "application/x-www-form-urlencoded" }
const bearer = { authorization: `Bearer ${part({ alg: "RS256", kid: "a" })}.${part({})}.AAAA` }
const repeated: ReadonlyArray<Repeated> = [
  post("keys of a FHIR client", [64, 250], "/fhir/token", urlEncoded, `${form}`),
  post("shop", [64, 250], `/v2/public-api/reservations/${hostile.shop_identifier}`, json(hostile.key), {
    lines: [{ sku_uid: hostile.skus.drops.uid, quantity: 1 }]
  }),
  post(
    "bucket",
    [8, 1_000],
    `/v2/public-api/prescriptions/${stored.shop_identifier}`,
    json(stored.key),
    stored.bodyOf({ id: "$ID" })
  ),
  post(
    "identity provider",
    [16, 250],
    "/v1/doctor/late",
    { "content-type": "application/json", ...bearer },
    { minutes: 5 }
  ),
  ...["ics", "caldav"].map((kind) => post(`calendar, ${kind}`, [1, 5_000], sources, json(hostile.key), calendar(kind))),
  post("subscriber", [1, 5_000], "/v1/management/notification-subscriptions", json(hostile.key), {
    url: `${broken.url}/$ID`,
    notification_type: "PATIENT_DOCTOR_MEETING_UPDATED"
  })
]

const ask = (method: string, path: string, body?: unknown) => served.api(method, path, { key: quiet.key, body })
/** What the second organisation does, in turns. */
const requests = [
  () => ask("GET", "/v1/management/patients"),
  () => ask("GET", "/v1/management/scheduling/appointments"),
  () =>
    ask("POST", "/v1/scheduling/slots/search", {
      shop_uid: quiet.shop_uid,
      appointment_type_uid: quiet.type_uid,
      from: inDays(2, 0),
      to: inDays(3, 0)
    }),
  () => ask("POST", "/v1/management/patients", { shop_uid: quiet.shop_uid, profile: { first_name: random("a") } })
]
const measured = async (seconds: number) => {
  const end = performance.now() + 1_000 * seconds
  const times: Array<number> = []
  const statuses: Record<number, number> = {}
  for (let turn = 0; performance.now() < end; turn++) {
    const begun = performance.now()
    const { status } = (await (requests[turn % requests.length] ?? requests[0])?.()) ?? { status: 0 }
    times.push(performance.now() - begun)
    statuses[status] = (statuses[status] ?? 0) + 1
    await Bun.sleep(10)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 10) / 10
  return { requests: times.length, median: at(0.5), p99: at(0.99), slowest: at(1), statuses }
}
const megabytes = () =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))?.[1] ?? 0) / 1_024)

await measured(5) // the first requests of a process cost more
const alone = await measured(QUIET_SECONDS)
process.stdout.write(`quiet: ${JSON.stringify({ ...alone, MB: megabytes() })}\n`)
attackers.postMessage(repeated)

const isAnswered = ({ statuses }: typeof alone) => Object.keys(statuses).every((status) => Number(status) < 300)
let missed = isAnswered(alone) ? 0 : 1
for (let minute = 1; minute <= minutes; minute++) {
  const during = await measured(60)
  const isMet = isAnswered(during) && during.median <= FACTOR_MAX * alone.median
  if (!isMet) missed += 1
  const factor = Math.round((100 * during.median) / alone.median) / 100
  process.stdout.write(
    `minute ${minute}: ${JSON.stringify({ ...during, factor, MB: megabytes() })}${isMet ? "" : " missed"}\n`
  )
}
const tally = await answerTo<Tally>("stop")
process.stdout.write(`answers to the attack: ${JSON.stringify(tally)}\n`)
const begun = performance.now()
const ended = await Promise.race([service.stop("SIGTERM"), Bun.sleep(1_000 * EXIT_SECONDS).then(() => "still running")])
const seconds = Math.round((performance.now() - begun) / 100) / 10
process.stdout.write(`SIGTERM: ${ended} after ${seconds} s\n`)
if (missed > 0 || ended !== 0) process.exitCode = 1
await maker.stop()
folder.remove()
process.exit()
