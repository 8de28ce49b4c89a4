/**
 * Sets the tenancy of every statement, local to its transaction, in the same round trip and without BEGIN: in the extended
 * protocol everything before one Sync is one transaction. So it works with PgBouncer in transaction mode, and no tenant
 * remains on a connection. Within a transaction it is sent with the first statement and whenever it changes.
 */
import { Fiber, Option } from "effect"
import type { PoolClient } from "pg"
import type { RequestSeal } from "../../services/audit/entrySeals.ts"
import { type AuditedRequest, noTenant, type Tenancy, tenancyIn } from "../../services/tenancy/Tenancy.ts"

/** Members of the driver's connection that its types omit. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  sync(): void
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(statement: { readonly statement: string; readonly values: ReadonlyArray<string> }): void
  execute(portal: object): void
}

/** Members of the driver's queries, including cursors, that its types omit. */
export interface DriverQuery {
  submit(connection: Wire): unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Wire): void
  handleError(error: unknown, connection: Wire): void
}

/** `num_nulls` keeps the values out of the response. */
const setting = (organisation: string) =>
  `SELECT num_nulls(set_config('role', $1, true), set_config('sprechstunde.organisation', ${organisation}, true), set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true))`
/**
 * On a Citus cluster the settings must reach the worker nodes: Citus propagates SET LOCAL, which the function runs, only in a
 * transaction block, and does not propagate SET LOCAL ROLE.
 */
const clusterSetting = (organisation: string) => `SELECT cluster_tenancy($1, ${organisation}, $3, $4)`

const settingsOf = (isCluster: boolean) => {
  const text = isCluster ? clusterSetting : setting
  return {
    given: { name: "tenancy", text: text("$2") },
    /** The database looks up the organisation. Prepared on first use, since a migration creates the function. */
    finding: { name: "tenancy_found", text: text("coalesce(organisation_by($5, $2), '')") }
  }
}
type Setting = ReturnType<typeof settingsOf>["given"]

/** Prepared first on every new connection, so that its ParseComplete is never attributed to another statement. */
export const tenancyStatement = (isCluster: boolean) => ({
  ...settingsOf(isCluster).given,
  values: [isCluster ? "" : "none", "", "", ""]
})

/** Transaction control needs no tenancy, and may be sent with several statements in one text. */
export const isControl = (text: string) => /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i.test(text)

const encodeRequest = ({ actor, ...request }: AuditedRequest, seal: RequestSeal | null) =>
  JSON.stringify({ ...request, actor_kind: actor.kind, actor_uid: actor.uid, ...seal })

/** Memoised, since all statements of a request share a tenancy. */
const encodedTenancies = new WeakMap<Tenancy, ReadonlyArray<string>>()
const valuesOf = (tenancy: Tenancy, nextSeal: () => RequestSeal | null) => {
  const known = encodedTenancies.get(tenancy)
  if (known !== undefined) return known
  const { role, organisation, organisation_by, pharmacy, request } = tenancy
  const values = [
    role === "login" ? "none" : `sprechstunde_${role}`,
    organisation_by?.key ?? organisation,
    pharmacy,
    request === null ? "" : encodeRequest(request, nextSeal()),
    ...(organisation_by === null ? [] : [organisation_by.kind])
  ]
  encodedTenancies.set(tenancy, values)
  return values
}

/** The tenancy of the current fiber; outside of a fiber there is no tenant. */
export const tenancyOfFiber = (): Tenancy =>
  Option.match(Fiber.getCurrentFiber(), {
    onNone: () => noTenant,
    onSome: ({ currentContext }) => tenancyIn(currentContext)
  })

export interface CarryOptions {
  /** Whether `tenancyStatement` has been prepared. */
  readonly isPrepared: boolean
  /** Whether the database is distributed. */
  readonly isCluster: boolean
  /** Marks the entries of a request as the service's. */
  readonly nextSeal: () => RequestSeal | null
}

/** Adds the tenancy to a client's queries. */
export const carryTenancy = (client: PoolClient, { isPrepared, isCluster, nextSeal }: CarryOptions) => {
  const { given, finding } = settingsOf(isCluster)
  const query = client.query.bind(client)
  const rollBack = () => void query("ROLLBACK").catch(() => undefined) // a lost connection has no transaction
  /** The tenancy last set in the open transaction. */
  let applied = ""
  let isFindingPrepared = false

  const execute = (connection: Wire, command: string) => {
    connection.parse({ name: "", text: command })
    connection.bind({ statement: "", values: [] })
    connection.execute({})
  }

  const send = (connection: Wire, values: ReadonlyArray<string>, { name, text }: Setting) => {
    if (!isPrepared) connection.parse({ name: "", text })
    connection.bind({ statement: isPrepared ? name : "", values })
    connection.execute({})
  }

  /** Submits the query with COMMIT before its first Sync. */
  const submitWithCommit = (connection: Wire, submit: (connection: Wire) => unknown) => {
    const sync = connection.sync
    connection.sync = () => {
      connection.sync = sync
      execute(connection, "COMMIT")
      sync.call(connection)
    }
    return submit(connection)
  }

  const carry = (carried: DriverQuery, tenancy: Tenancy) => {
    const values = valuesOf(tenancy, nextSeal)
    const original = {
      submit: carried.submit.bind(carried),
      row: carried.handleDataRow.bind(carried),
      complete: carried.handleCommandComplete.bind(carried),
      error: carried.handleError.bind(carried)
    }
    /** Pending responses to BEGIN and the setting, which come before the query's. */
    let pending = 0
    /** Whether the query is complete: a later response belongs to COMMIT. */
    let isComplete = false
    let isOwnTransaction = false
    const submit = (connection: Wire) => {
      const wanted = values.join("\n")
      const status = client.getTransactionStatus()
      const isInTransaction = status === "T"
      const isSetting = !isInTransaction || applied !== wanted
      isOwnTransaction = isCluster && !isInTransaction && status !== "E"
      pending = (isSetting ? 1 : 0) + (isOwnTransaction ? 1 : 0)
      applied = isInTransaction ? wanted : ""
      connection.stream.cork()
      try {
        if (isOwnTransaction) execute(connection, "BEGIN")
        if (isSetting) send(connection, values, tenancy.organisation_by === null ? given : finding)
        return isOwnTransaction ? submitWithCommit(connection, original.submit) : original.submit(connection)
      } finally {
        connection.stream.uncork()
      }
    }
    const handleDataRow = (message: unknown) => {
      if (pending === 0) original.row(message)
    }
    const handleCommandComplete = (message: unknown, connection: Wire) => {
      if (pending > 0) pending--
      else if (!isComplete || !isOwnTransaction) {
        isComplete = true
        original.complete(message, connection)
      }
    }
    const handleError = (error: unknown, connection: Wire) => {
      if (isOwnTransaction) rollBack() // queued before any other statement of this client
      original.error(error, connection)
    }
    return Object.assign(carried, { submit, handleDataRow, handleCommandComplete, handleError })
  }
  return {
    /** The statement that prepares the setting, to send before the first use of this kind of tenancy on the connection. */
    prepareFirst: (tenancy: Tenancy) => {
      if (!isPrepared || isFindingPrepared || tenancy.organisation_by === null) return undefined
      isFindingPrepared = true
      return { ...finding, values: [...valuesOf(tenancy, nextSeal)] }
    },
    /** Makes a query set this tenancy before it runs. */
    carry,
    /** Whether the connection currently has the login role. */
    isLogin: () => applied === "" || client.getTransactionStatus() !== "T",
    /** To call when a transaction begins or ends. */
    forget: () => {
      applied = ""
    }
  }
}
