/**
 * The minimum cost of a request on this stack: a bare `Bun.serve` that parses the body, looks up the key that came with the request by its hash,
 * sends the recorded statements of the service over a pool of the same size, and responds with the last rows. Each statement travels as it did
 * from the service: prepared, with BEGIN, the tenancy and the mode of planning before it, and COMMIT after it. The uids and times in the
 * values of the statements are replaced for each request.
 */
import { createHash } from "node:crypto"
import { Client, type ClientConfig, Pool, type PoolClient, Query } from "pg"
import { Flight, type Step } from "../../src/layers/postgres/Flight.ts"
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

const COMMIT: Step = { name: "commit", text: "COMMIT", values: [], prepares: false }

/** The driver's client, that knows what it has prepared. */
class BareClient extends Client {
  private readonly known = new Set<string>()

  constructor(config?: ClientConfig) {
    super(config)
  }

  fly(name: string, { text, before, commits }: Statement, values: Array<unknown>, steps: ReadonlyArray<Array<string>>) {
    const step = (one: Step, own: Array<string>): Step => {
      const named = one.name ?? one.text
      const prepares = !this.known.has(named)
      this.known.add(named)
      return { name: named, text: one.text, values: own, prepares }
    }
    return new Promise<ReadonlyArray<unknown>>((resolve, reject) => {
      const query = new Query({ name, text }, values, (error: Error | undefined, result: { rows: Array<unknown> }) =>
        error ? reject(error) : resolve(result.rows)
      )
      const main = Object.assign(query, { queryMode: "extended" }) as unknown as ConstructorParameters<typeof Flight>[0]
      const flown = before.map((one, at) => step(one, steps[at] ?? []))
      const commit = commits ? step(COMMIT, []) : undefined
      this.query(new Flight(main, values, flown, commit, { arrived: () => {}, failed: () => {}, row: () => {} }))
    })
  }
}

const GENERIC = "force_generic_plan"

/** `isSame`: with the service's mode of planning; otherwise PostgreSQL chooses, and plans most of these statements anew each time. */
const serve = (recorded: Recorded, url: string, connections: number, isSame: boolean) => {
  const pool = new Pool({ connectionString: url, max: connections, Client: BareClient } as ConstructorParameters<
    typeof Pool
  >[0])
  const names = new Map<string, string>()
  const keys = new Map<string, string>()
  const find = (key: string) => {
    const hash = createHash("sha256").update(key).digest("base64")
    keys.set(hash, keys.get(hash) ?? hash)
  }
  const send = async (client: PoolClient, statement: Statement, value: (value: unknown) => unknown) => {
    if (statement.values.length === 0 && statement.before.length === 0 && !statement.commits)
      return (await client.query(statement.text)).rows
    const name = names.get(statement.text) ?? `s${names.size}`
    names.set(statement.text, name)
    const steps = statement.before.map(({ values }) =>
      values.map((one) => (one === GENERIC && !isSame ? "auto" : String(value(one))))
    )
    return (client as PoolClient & BareClient).fly(name, statement, statement.values.map(value), steps)
  }
  const YEAR = 365 * 86_400
  const run = async (name: string, index: number) => {
    const statements = recorded.requests[name] ?? []
    // a booking in one request takes other times than the holds do
    const far = (isSame ? 20 : 10) * YEAR + (name === "book" ? 5 * YEAR : 0)
    const value = valuesOf(recorded, index, far)
    let client: PoolClient | undefined
    let isWithin = false
    let rows: ReadonlyArray<unknown> = []
    for (const statement of statements) {
      client ??= await pool.connect()
      const found = await send(client, statement, value)
      if (statement.text !== "COMMIT") rows = found
      isWithin = statement.begins || (isWithin && !statement.commits && statement.text !== "COMMIT")
      if (isWithin) continue
      client.release()
      client = undefined
    }
    return rows
  }
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (new URL(request.url).pathname.startsWith("/health/")) return new Response("{}")
      const [, name = "", index = "0"] = new URL(request.url).pathname.split("/")
      const key = request.headers.get("x-api-key")
      if (key !== null) find(key)
      if (request.method === "POST") await request.json()
      return Response.json(await run(name, Number(index)))
    }
  })
}

if (import.meta.main) {
  const [file = "", url = "", connections = "16", mode = ""] = process.argv.slice(2)
  const server = serve(await Bun.file(file).json(), url, Number(connections), mode === "same")
  console.log(server.port)
}
