/**
 * The connection pool, a subclass of the driver's pool that Effect's client uses:
 * - establishing a connection takes at most 5 seconds; whoever needs it retries;
 * - the queue for a connection is bounded: beyond it a request is rejected immediately instead of timing out; the edge shares it fairly (`costClasses`);
 * - a connection without a response for longer than any statement may take is closed, since its host may be gone;
 * - repeated statements are prepared, so that PostgreSQL parses and plans them once per connection;
 * - every statement runs in the tenancy of the fiber that sends it.
 */
import type { EventEmitter } from "node:events"
import type { Duplex } from "node:stream"
import { Predicate } from "effect"
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, Query, type QueryConfig } from "pg"
import type { RequestSeal } from "../../services/audit/entrySeals.ts"
import { DISK_FULL } from "../../services/database/SqlErrors.ts"
import { countDatabaseFailure, poolRefusals, poolWait } from "../../services/metrics.ts"
import { carryTenancy, type DriverQuery, isControl, tenancyOfFiber, tenancyStatement } from "./tenantQueries.ts"

export interface ServicePoolOptions {
  /** Requests that may wait for a connection. */
  readonly waitingMax: number
  /** Whether statements are prepared. False for PgBouncer below 1.21 in transaction mode, which loses them. */
  readonly prepareStatements: boolean
  /** Milliseconds without a byte from the database during a statement; must exceed `statement_timeout`. */
  readonly silenceMillis: number
  /** Whether the database is a Citus cluster. */
  readonly isCluster: boolean
  /** Marks the audit entries of a request as the service's. */
  readonly nextSeal: () => RequestSeal | null
}

/** The queue for a connection is full. */
export class QueueFull extends Error {
  readonly code = "QUEUE_FULL"
  constructor(waiting: number) {
    super(`${waiting} callers wait for a connection to the database already`)
  }
}

/** Time-out of establishing a connection. */
const CONNECT_TIMEOUT_MILLIS = 5_000

/** Statement texts remembered, of which those that repeat are prepared: each takes memory on every connection. */
const STATEMENTS_MAX = 400

/** The driver's client, with a time-out for connecting that is shorter than the pool's queue. */
class PromptClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MILLIS })
  }
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: Error | boolean) => void
) => void

/** Returns a name for prepared statements: undefined at a text's first occurrence and beyond the limit. */
const statementNames = () => {
  const names = new Map<string, string | undefined>()
  return (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (!names.has(text)) {
      if (names.size < STATEMENTS_MAX) names.set(text, undefined)
      return undefined
    }
    const name = `s_${Bun.hash(text).toString(36)}`
    names.set(text, name)
    return name
  }
}

export class ServicePool extends Pool {
  /** Whether a statement failed because the database's disk is full; reset by whoever finds that it has space again. */
  isDiskFull = false
  private readonly statementName: (text: string) => string | undefined

  constructor(
    config: PoolConfig,
    private readonly limits: ServicePoolOptions
  ) {
    super({ ...config, Client: PromptClient })
    this.statementName = limits.prepareStatements ? statementNames() : () => undefined
    this.on("connect", (client) => this.instrument(client))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (callback === undefined)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      )
    const since = performance.now()
    const timed: Connected = (...answer) => {
      poolWait.unsafeUpdate((performance.now() - since) / 1_000, [])
      callback(...answer)
    }
    this.enqueue(timed)
  }

  private reject(callback: Connected, error: Error) {
    poolRefusals.unsafeUpdate(1, [])
    callback(error, undefined, () => {})
  }

  private enqueue(callback: Connected) {
    if (this.waitingCount >= this.limits.waitingMax) return this.reject(callback, new QueueFull(this.waitingCount))
    super.connect(callback)
  }

  /** Counts a full disk and the like, and closes a connection to a standby, so that the next one goes to the primary. */
  private watchErrors(client: PoolClient) {
    const { connection } = client as WiredClient
    connection.on("errorMessage", ({ code }: { readonly code: string }) => {
      countDatabaseFailure(code)
      if (code === DISK_FULL) this.isDiskFull = true
      if (code === READ_ONLY) setImmediate(() => connection.stream.destroy())
    })
  }

  /**
   * Replaces `client.query`: every statement carries its fiber's tenancy, and repeated ones are prepared. Only transaction
   * control and statements of the login role are sent unchanged, by the simple protocol, which allows several in one text.
   */
  private instrument(client: PoolClient) {
    const send = client.query.bind(client)
    const { carry, forget, isLogin, prepareFirst } = carryTenancy(client, {
      isPrepared: this.limits.prepareStatements,
      isCluster: this.limits.isCluster,
      nextSeal: this.limits.nextSeal
    })
    const query = (statement: unknown, values?: unknown, answered?: unknown) => {
      const text = textOf(statement)
      const tenancy = tenancyOfFiber()
      onQuery(tenancy.role === "login")
      const first = prepareFirst(tenancy)
      if (first !== undefined) send(first, () => {})
      if (text === undefined)
        return Reflect.apply(send, client, [carry(statement as DriverQuery, tenancy), values, answered])
      if (isControl(text)) forget()
      const isUnchanged = isControl(text) || (tenancy.role === "login" && isLogin())
      const config = typeof statement === "string" ? { text, values } : { ...(statement as QueryConfig) }
      const name = Array.isArray(config.values) && config.values.length > 0 ? this.statementName(text) : undefined
      const named = { ...config, ...(name !== undefined && { name }) }
      if (isUnchanged)
        return Reflect.apply(
          send,
          client,
          name === undefined ? [statement, values, answered] : [named, answered ?? values]
        )
      const statementConfig = typeof statement === "string" ? text : named // the driver copies a config property by property
      const own = Reflect.construct(Query, [statementConfig, config.values ?? [], answered ?? values])
      Object.assign(own, { name, queryMode: "extended" })
      return Reflect.apply(send, client, [carry(own, tenancy)])
    }
    this.watchErrors(client)
    const onQuery = connectionWatchdog(client, this.limits.silenceMillis)
    // Pool, transactions and cursors all call this method of the driver's client
    Object.assign(client, { query })
    if (this.limits.prepareStatements) send(tenancyStatement(this.limits.isCluster), () => {})
  }
}

/** Properties of the driver's client that its types omit. */
type WiredClient = PoolClient & {
  readonly connection: EventEmitter & { readonly stream: Duplex }
  readonly readyForQuery: boolean
}

/**
 * Closes the connection if nothing arrives for `limit` milliseconds during a statement; TCP alone would wait for 15 minutes.
 * Call the returned function at every statement. Statements of the login role, which runs migrations, have no limit.
 */
const connectionWatchdog = (client: PoolClient, limit: number) => {
  const { connection } = client as WiredClient
  let lastReceived = performance.now()
  let isUnlimited = false
  const received = () => {
    lastReceived = performance.now()
  }
  const timer = setInterval(() => {
    const { readyForQuery } = client as WiredClient
    if (!readyForQuery && !isUnlimited && performance.now() - lastReceived > limit) connection.stream.destroy()
  }, limit / 4)
  timer.unref()
  connection.stream.on("data", received)
  client.once("end", () => clearInterval(timer))
  return (unlimited: boolean) => {
    isUnlimited = unlimited
    received()
  }
}

/** SQLSTATE read_only_sql_transaction: the former primary has become a standby. */
const READ_ONLY = "25006"

/** The text of a statement; undefined for a cursor, which is a query object already. */
const textOf = (statement: unknown) => {
  if (typeof statement === "string") return statement
  return Predicate.hasProperty(statement, "submit") ? undefined : (statement as QueryConfig).text
}
