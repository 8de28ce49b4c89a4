/**
 * Statements with the tenancy that they run under. It is set for the statement's own transaction, in the same round trip
 * and without BEGIN: what the extended protocol sends before one Sync is one transaction. So it holds with PgBouncer in
 * transaction mode, and no connection keeps a tenant. Within a transaction it is sent with its first statement, and again
 * where it changes.
 */
import { Fiber, Option } from "effect"
import type { PoolClient } from "pg"
import { type AuditedRequest, currentTenancy, noTenant, type Tenancy } from "../../services/Tenancy.ts"

/** The parts of the driver's connection that its types leave out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(statement: { readonly statement: string; readonly values: ReadonlyArray<string> }): void
  execute(portal: object): void
}

/** What every query of the driver has, cursors too, and its types leave out. */
export interface DriverQuery {
  submit(connection: Wire): unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Wire): void
}

const setting = (organisation: string) =>
  `SELECT set_config('role', $1, true), set_config('sprechstunde.organisation', ${organisation}, true), set_config('sprechstunde.pharmacy', $3, true), set_config('sprechstunde.request', $4, true)`
const NAME = "tenancy"
const TEXT = setting("$2")
/** With the organisation that the database finds. Prepared when it is first sent: the function comes with the migrations. */
const FINDING = { name: "tenancy_found", text: setting("coalesce(organisation_by($5, $2), '')") }

/** Prepared on every new connection before anything else, so that its preparation is never taken for a statement's own. */
export const tenancyStatement = { name: NAME, text: TEXT, values: ["none", "", "", ""] }

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

/** How a client's queries carry their tenancy. `isPrepared`: whether `tenancyStatement` has been prepared. */
export const carryTenancy = (client: PoolClient, isPrepared: boolean) => {
  /** The tenancy that the open transaction has set last. */
  let applied = ""
  let isFindingPrepared = false

  const send = (connection: Wire, values: ReadonlyArray<string>, { name, text }: typeof FINDING) => {
    if (!isPrepared) connection.parse({ name: "", text })
    connection.bind({ statement: isPrepared ? name : "", values })
    connection.execute({})
  }

  const carry = (query: DriverQuery, tenancy: Tenancy) => {
    const values = valuesOf(tenancy)
    const original = {
      submit: query.submit.bind(query),
      row: query.handleDataRow.bind(query),
      complete: query.handleCommandComplete.bind(query)
    }
    /** Whether answers still belong to the setting, which are not the query's. */
    let isSetting = false
    const submit = (connection: Wire) => {
      const wanted = values.join("\n")
      const isInTransaction = client.getTransactionStatus() === "T"
      isSetting = !isInTransaction || applied !== wanted
      applied = isInTransaction ? wanted : ""
      connection.stream.cork()
      try {
        if (isSetting) send(connection, values, tenancy.organisation_by === null ? tenancyStatement : FINDING)
        return original.submit(connection)
      } finally {
        connection.stream.uncork()
      }
    }
    const handleDataRow = (message: unknown) => {
      if (!isSetting) original.row(message)
    }
    const handleCommandComplete = (message: unknown, connection: Wire) => {
      if (isSetting) isSetting = false
      else original.complete(message, connection)
    }
    return Object.assign(query, { submit, handleDataRow, handleCommandComplete })
  }
  return {
    /** A statement that is to be sent before the first one of this kind of tenancy on the connection, to prepare its setting. */
    preparing: (tenancy: Tenancy) => {
      if (!isPrepared || isFindingPrepared || tenancy.organisation_by === null) return undefined
      isFindingPrepared = true
      return { ...FINDING, values: [...valuesOf(tenancy)] }
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
