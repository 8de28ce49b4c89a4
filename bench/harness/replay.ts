/**
 * The minimum cost of a request on this stack: a bare `Bun.serve` that parses the body, sends the recorded statements of the
 * service over a pool of the same size, and responds with the last rows. The uids and times in the values of the
 * statements are replaced for each request.
 */
import { createHash } from "node:crypto"
import { Pool, type PoolClient } from "pg"
import type { Statement } from "../../tests/support/statements.ts"

export interface Recorded {
  /** Identifiers that existed before; any other uid belongs to the request. */
  readonly known: ReadonlyArray<string>
  readonly doctors: ReadonlyArray<string>
  readonly patients: ReadonlyArray<string>
  readonly customers: ReadonlyArray<string>
  /** Start of the recorded appointment in Unix seconds, and its length in seconds. */
  readonly start: number
  readonly length: number
  readonly requests: Readonly<Record<string, ReadonlyArray<Statement>>>
}

/** Replaces the values for one request: doctors in turn, times, uids. */
const valuesOf = ({ known, doctors, patients, customers, start, length }: Recorded, index: number, far: number) => {
  const shift = far + Math.floor(index / doctors.length) * 1200
  const uid = (text: string) => {
    if (doctors.includes(text)) return doctors[index % doctors.length] ?? text
    if (patients.includes(text)) return patients[index % patients.length] ?? text
    if (customers.includes(text)) return customers[index % customers.length] ?? text
    return known.includes(text) ? text : `${text}_${index}_${far}`
  }
  return (value: unknown): unknown => {
    if (typeof value === "number" && value >= start && value <= start + length) return value + shift
    if (typeof value === "string") return value.replace(/\b[a-z]{2,5}_[0-9a-z]{12,}\b/g, uid)
    if (typeof value === "object" && value !== null && "hash" in value)
      return createHash("sha256").update(`${value.hash} ${index} ${far}`).digest()
    return value
  }
}

const serve = (recorded: Recorded, url: string, connections: number, isPrepared: boolean) => {
  // read by the audit log's triggers: changes of the bare handler are recorded like the service's
  const request = { action: "bench", actor_kind: "system", actor_uid: "bench", subject: null, purpose: null }
  const options = `-c sprechstunde.request=${JSON.stringify({ ...request, trace_id: "", address: null })}`
  const pool = new Pool({ connectionString: url, max: connections, options })
  const names = new Map<string, string>()
  const send = (client: PoolClient | Pool, { text, values }: Statement, value: (value: unknown) => unknown) => {
    if (values.length === 0) return client.query(text)
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    return client.query({ text, values: values.map(value), ...(isPrepared && { name }) })
  }
  const YEAR = 365 * 86_400
  const run = async (name: string, index: number) => {
    const statements = recorded.requests[name] ?? []
    // a booking in one request takes other times than the holds do
    const far = (isPrepared ? 20 : 10) * YEAR + (name === "book" ? 5 * YEAR : 0)
    const value = valuesOf(recorded, index, far)
    let client: PoolClient | undefined
    let rows: unknown = []
    for (const statement of statements) {
      if (statement.begins) {
        client = await pool.connect()
        await client.query("BEGIN")
      }
      const result = await send(client ?? pool, statement, value)
      if (statement.commits) await client?.query("COMMIT")
      if (statement.text !== "COMMIT") rows = result.rows
      if (statement.commits || statement.text === "COMMIT") {
        client?.release()
        client = undefined
      }
    }
    return rows
  }
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (new URL(request.url).pathname.startsWith("/health/")) return new Response("{}")
      const [, name = "", index = "0"] = new URL(request.url).pathname.split("/")
      if (request.method === "POST") await request.json()
      return Response.json(await run(name, Number(index)))
    }
  })
}

if (import.meta.main) {
  const [file = "", url = "", connections = "16", mode = ""] = process.argv.slice(2)
  const server = serve(await Bun.file(file).json(), url, Number(connections), mode === "prepared")
  console.log(server.port)
}
