/**
 * Statements with the tenancy that they run under. It is set for the statement's own transaction, in the same round trip
 * and without BEGIN: what the extended protocol sends before one Sync is one transaction. So it holds with PgBouncer in
 * transaction mode, and no connection keeps a tenant. Within a transaction it is sent with its first statement, and again
 * where it changes.
 */
import { Fiber, Option } from "effect"
import type { PoolClient } from "pg"
import { type AuditedRequest, currentTenancy, noTenant, type Tenancy } from "../../services/tenancy/Tenancy.ts"

/** The parts of the driver's connection that its types leave out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  sync(): void
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(statement: { readonly statement: string; readonly values: ReadonlyArray<string> }): void
  execute(portal: object): void
}

/** What every query of the driver has, cursors too, and its types leave out. */
export interface DriverQuery {
  submit(connection: Wire): unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Wire): void
  handleError(error: unknown, connection: Wire): void
}

/** Counted, so that the values are not sent back. */
const setting = (organisation: string) =>
  `SELECT num_nulls(set_config('role', $1, true), set_config('sprechstunde.organisation', ${organisation}, true), set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true))`
/**
 * On a cluster the worker nodes must know it too: they are told by SET LOCAL, which the function does, in a transaction block. They know
 * no roles of a transaction.
 */
const clusterSetting = (organisation: string) => `SELECT cluster_tenancy($1, ${organisation}, $3, $4)`

const settingsOf = (isCluster: boolean) => {
  const text = isCluster ? clusterSetting : setting
  return {
    given: { name: "tenancy", text: text("$2") },
    /** With the organisation that the database finds. Prepared when it is first sent: the function comes with the migrations. */
    finding: { name: "tenancy_found", text: text("coalesce(organisation_by($5, $2), '')") }
  }
}
type Setting = ReturnType<typeof settingsOf>["given"]

/** Prepared on every new connection before anything else, so that its preparation is never taken for a statement's own. */
export const tenancyStatement = (isCluster: boolean) => ({
  ...settingsOf(isCluster).given,
  values: [isCluster ? "" : "none", "", "", ""]
})

/** Transaction control touches no rows, and several statements in one text cannot be sent so. */
export const isControl = (text: string) => /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i.test(text)

const written = ({ actor, ...request }: AuditedRequest) =>
  JSON.stringify({ ...request, actor_kind: actor.kind, actor_uid: actor.uid })

/** Written once for all statements of a request. */
const sent = new WeakMap<Tenancy, ReadonlyArray<string>>()
const valuesOf = (tenancy: Tenancy) => {
  const known = sent.get(tenancy)
  if (known !== undefined) return known
  const { role, organisation, organisation_by, pharmacy, request } = tenancy
  const values = [
    role === "login" ? "none" : `sprechstunde_${role}`,
    organisation_by?.key ?? organisation,
    pharmacy,
    request === null ? "" : written(request),
    ...(organisation_by === null ? [] : [organisation_by.kind])
  ]
  sent.set(tenancy, values)
  return values
}

/** The tenancy of the fiber that sends a statement. A statement that no fiber sends has no tenant. */
export const sendersTenancy = (): Tenancy =>
  Option.match(Fiber.getCurrentFiber(), {
    onNone: () => noTenant,
    onSome: (fiber) => fiber.getFiberRef(currentTenancy)
  })

export interface CarryOptions {
  /** Whether `tenancyStatement` has been prepared. */
  readonly isPrepared: boolean
  /** Whether the database is distributed. */
  readonly isCluster: boolean
}

/** How a client's queries carry their tenancy. */
export const carryTenancy = (client: PoolClient, { isPrepared, isCluster }: CarryOptions) => {
  const { given, finding } = settingsOf(isCluster)
  const query = client.query.bind(client)
  const rollBack = () => void query("ROLLBACK").catch(() => undefined) // a connection that is gone has none to roll back
  /** The tenancy that the open transaction has set last. */
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

  /** What the query sends, with COMMIT before its first Sync. */
  const committed = (connection: Wire, submit: (connection: Wire) => unknown) => {
    const sync = connection.sync
    connection.sync = () => {
      connection.sync = sync
      execute(connection, "COMMIT")
      sync.call(connection)
    }
    return submit(connection)
  }

  const carry = (carried: DriverQuery, tenancy: Tenancy) => {
    const values = valuesOf(tenancy)
    const original = {
      submit: carried.submit.bind(carried),
      row: carried.handleDataRow.bind(carried),
      complete: carried.handleCommandComplete.bind(carried),
      error: carried.handleError.bind(carried)
    }
    /** Answers that still belong to BEGIN and the setting, which are not the query's. */
    let before = 0
    /** Whether the query has its answer: what follows belongs to COMMIT. */
    let isAnswered = false
    let isOwnTransaction = false
    const submit = (connection: Wire) => {
      const wanted = values.join("\n")
      const status = client.getTransactionStatus()
      const isInTransaction = status === "T"
      const isSetting = !isInTransaction || applied !== wanted
      isOwnTransaction = isCluster && !isInTransaction && status !== "E"
      before = (isSetting ? 1 : 0) + (isOwnTransaction ? 1 : 0)
      applied = isInTransaction ? wanted : ""
      connection.stream.cork()
      try {
        if (isOwnTransaction) execute(connection, "BEGIN")
        if (isSetting) send(connection, values, tenancy.organisation_by === null ? given : finding)
        return isOwnTransaction ? committed(connection, original.submit) : original.submit(connection)
      } finally {
        connection.stream.uncork()
      }
    }
    const handleDataRow = (message: unknown) => {
      if (before === 0) original.row(message)
    }
    const handleCommandComplete = (message: unknown, connection: Wire) => {
      if (before > 0) before--
      else if (!isAnswered || !isOwnTransaction) {
        isAnswered = true
        original.complete(message, connection)
      }
    }
    const handleError = (error: unknown, connection: Wire) => {
      if (isOwnTransaction) rollBack() // sent before any other statement of this client
      original.error(error, connection)
    }
    return Object.assign(carried, { submit, handleDataRow, handleCommandComplete, handleError })
  }
  return {
    /** A statement that is to be sent before the first one of this kind of tenancy on the connection, to prepare its setting. */
    preparing: (tenancy: Tenancy) => {
      if (!isPrepared || isFindingPrepared || tenancy.organisation_by === null) return undefined
      isFindingPrepared = true
      return { ...finding, values: [...valuesOf(tenancy)] }
    },
    /** Has the query set this tenancy before it runs. */
    carry,
    /** Whether the connection runs in the database user's own role now. */
    isLogin: () => applied === "" || client.getTransactionStatus() !== "T",
    /** A transaction begins or ends. */
    forget: () => {
      applied = ""
    }
  }
}
