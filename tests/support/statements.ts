/** Records the statements that the process sends to its databases: texts and values, in order. */
import { Client } from "pg"
import { Flight, type Step } from "../../src/layers/postgres/Flight.ts"
import { tenancyOfFiber } from "../../src/layers/postgres/tenantSettings.ts"
import type { Tenancy } from "../../src/services/tenancy/Tenancy.ts"

export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  /** Whether BEGIN travels with it. */
  readonly begins: boolean
  /** Whether COMMIT travels with it. */
  readonly commits: boolean
  /** What travels before it: BEGIN, the tenancy with the mode of planning, the transaction's id. */
  readonly before: ReadonlyArray<Step>
  /** The role in which it runs. */
  readonly role: Tenancy["role"]
}

interface Recorder {
  readonly database: string | undefined
  readonly record: (statement: Statement) => void
}
const recorders = new Set<Recorder>()

const textOf = (query: unknown): Omit<Statement, "role"> | undefined => {
  if (typeof query === "string") return { text: query, values: [], before: [], begins: false, commits: false }
  if (typeof query !== "object" || query === null || !("text" in query) || typeof query.text !== "string")
    return undefined
  const values = "values" in query && Array.isArray(query.values) ? query.values : []
  const [begins, commits] = ["begins", "commits"].map((which) => Reflect.get(query, which) === true)
  const before = query instanceof Flight ? query.before : []
  return { text: query.text, values, before, begins: begins === true, commits: commits === true }
}

// Patched before any connection is opened: the service's pool binds the method that it finds
const send = Client.prototype.query
Client.prototype.query = function (this: Client, ...args: ReadonlyArray<unknown>) {
  const sent = textOf(args[0])
  if (sent !== undefined)
    for (const { database, record } of recorders) {
      if (database !== undefined && database !== this.database) continue
      const { role } = tenancyOfFiber()
      record(Array.isArray(args[1]) ? { ...sent, values: args[1], role } : { ...sent, role })
    }
  return Reflect.apply(send, this, args)
} as typeof send

/**
 * The result of `work`, and every statement that this process sent while it ran: to all databases, or only to that of
 * `databaseUrl`, since servers of other tests may run in the same process.
 */
export const recording = async <A>(work: () => Promise<A>, databaseUrl?: string) => {
  const statements: Array<Statement> = []
  const database = databaseUrl === undefined ? undefined : new URL(databaseUrl).pathname.slice(1)
  const recorder: Recorder = { database, record: (statement) => void statements.push(statement) }
  recorders.add(recorder)
  try {
    return { result: await work(), statements }
  } finally {
    recorders.delete(recorder)
  }
}
