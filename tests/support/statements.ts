/** What the process sends to its databases: the texts and values of statements, in order. */
import { Client } from "pg"
import { sendersTenancy } from "../../src/layers/postgres/tenantQueries.ts"
import type { Tenancy } from "../../src/services/Tenancy.ts"

export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  /** The role that it runs in. */
  readonly role: Tenancy["role"]
}

const recorders = new Set<(statement: Statement) => void>()

const textOf = (query: unknown): Omit<Statement, "role"> | undefined => {
  if (typeof query === "string") return { text: query, values: [] }
  if (typeof query !== "object" || query === null || !("text" in query) || typeof query.text !== "string")
    return undefined
  return { text: query.text, values: "values" in query && Array.isArray(query.values) ? query.values : [] }
}

// In place before any connection is made: the pool of the service binds the method that it finds
const send = Client.prototype.query
Client.prototype.query = function (this: Client, ...args: ReadonlyArray<unknown>) {
  const sent = textOf(args[0])
  if (sent !== undefined)
    for (const record of recorders) {
      const { role } = sendersTenancy()
      record(Array.isArray(args[1]) ? { ...sent, values: args[1], role } : { ...sent, role })
    }
  return Reflect.apply(send, this, args)
} as typeof send

/** What `work` gave, and every statement that this process sent meanwhile. */
export const recording = async <A>(work: () => Promise<A>) => {
  const statements: Array<Statement> = []
  const record = (statement: Statement) => {
    statements.push(statement)
  }
  recorders.add(record)
  try {
    return { result: await work(), statements }
  } finally {
    recorders.delete(record)
  }
}
