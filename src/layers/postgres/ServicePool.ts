/**
 * The pool of connections, between PostgreSQL's driver and Effect's client:
 * - a database that cannot be reached is tried again for 5 seconds;
 * - the queue for a connection is bounded: beyond it a caller is refused at once, not after a time-out; no caller has all
 *   connections, or the queue, to itself;
 * - a connection that answers nothing for longer than any statement may take is closed: its host has gone without a word;
 * - statements that come again are prepared, so that PostgreSQL parses and plans them once a connection;
 * - every statement carries the tenancy of the fiber that sends it.
 */
import type { EventEmitter } from "node:events"
import type { Duplex } from "node:stream"
import { Predicate } from "effect"
import { Pool, type PoolClient, type PoolConfig, Query, type QueryConfig } from "pg"
import { isTransientCause } from "../../services/database/SqlErrors.ts"
import { poolRefusals, poolWait } from "../../services/metrics.ts"
import { askingCaller, makeShares } from "./callerShares.ts"
import { carryTenancy, type DriverQuery, isControl, sendersTenancy, tenancyStatement } from "./tenantQueries.ts"

export interface ServicePoolOptions {
  /** Callers that may wait for a connection. */
  readonly waitingMax: number
  /** Whether statements are prepared; not with PgBouncer below 1.21 in transaction mode, which loses them. */
  readonly prepareStatements: boolean
  /** Milliseconds without a byte from the database while a statement is under way; longer than `statement_timeout`. */
  readonly silenceMillis: number
  /** Whether the database is distributed over a cluster. */
  readonly isCluster: boolean
}

/** More callers wait for a connection than may. */
export class QueueFull extends Error {
  readonly code = "QUEUE_FULL"
  constructor(waiting: number) {
    super(`${waiting} callers wait for a connection to the database already`)
  }
}

const PATIENCE_MILLIS = 5_000
/** What one caller may have of the connections. */
const CALLERS_SHARE = 3 / 4
const FIRST_PAUSE_MILLIS = 20

/** It was not a caller's turn in time; as the driver says it of its own queue. */
class Late extends Error {
  override readonly message = "timeout exceeded when trying to connect"
}

/** Texts that are prepared, at most: each takes memory on every connection. Texts that vary do not come again. */
const MAX_STATEMENTS = 400

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: Error | boolean) => void
) => void

/** Names for the texts that have come before. */
const statementNames = () => {
  const names = new Map<string, string | undefined>()
  return (text: string): string | undefined => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (!names.has(text)) {
      if (names.size < MAX_STATEMENTS) names.set(text, undefined)
      return undefined
    }
    const name = `s_${Bun.hash(text).toString(36)}`
    names.set(text, name)
    return name
  }
}

export class ServicePool extends Pool {
  private readonly nameOf: (text: string) => string | undefined
  private readonly shares: ReturnType<typeof makeShares>
  private readonly users = new WeakMap<PoolClient, string>()

  constructor(
    config: PoolConfig,
    private readonly limits: ServicePoolOptions
  ) {
    super(config)
    this.nameOf = limits.prepareStatements ? statementNames() : () => undefined
    this.shares = makeShares({
      most: Math.max(1, Math.floor(this.options.max * CALLERS_SHARE)),
      waitingMax: limits.waitingMax,
      patienceMillis: this.options.connectionTimeoutMillis ?? PATIENCE_MILLIS
    })
    this.on("release", (_, client) => this.freed(client))
    this.on("connect", (client) => this.equip(client))
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
    const caller = askingCaller()
    if (caller === "") this.waitInQueue(timed)
    else
      this.shares.take(
        caller,
        () => this.waitInQueue((...answer) => this.given(caller, timed, answer)),
        (why) => this.refuse(timed, why === "full" ? new QueueFull(this.limits.waitingMax) : new Late())
      )
  }

  private refuse(callback: Connected, error: Error) {
    poolRefusals.unsafeUpdate(1, [])
    callback(error, undefined, () => {})
  }

  private waitInQueue(callback: Connected) {
    if (this.waitingCount >= this.limits.waitingMax) return this.refuse(callback, new QueueFull(this.waitingCount))
    this.reach(callback, Date.now() + PATIENCE_MILLIS, FIRST_PAUSE_MILLIS)
  }

  /** Of a caller's share: it counts until the connection is given back. */
  private given(caller: string, callback: Connected, answer: Parameters<Connected>) {
    const [, client] = answer
    if (client === undefined) this.shares.free(caller)
    else this.users.set(client, caller)
    callback(...answer)
  }

  private freed(client: PoolClient) {
    const caller = this.users.get(client)
    this.users.delete(client)
    if (caller !== undefined) this.shares.free(caller)
  }

  private reach(callback: Connected, deadline: number, pause: number): void {
    super.connect((error, client, release) => {
      if (error === undefined || !isTransientCause(error) || Date.now() + pause > deadline)
        return callback(error, client, release)
      setTimeout(() => this.reach(callback, deadline, Math.min(2 * pause, 500)), pause)
    })
  }

  /**
   * Has every statement carry its fiber's tenancy, and prepares those that come again. Statements without parameters may
   * be several in one text: only the database user's own are sent so.
   */
  private equip(client: PoolClient) {
    const send = client.query.bind(client)
    const { carry, forget, isLogin, preparing } = carryTenancy(client, {
      isPrepared: this.limits.prepareStatements,
      isCluster: this.limits.isCluster
    })
    const query = (statement: unknown, values?: unknown, answered?: unknown) => {
      const text = textOf(statement)
      const tenancy = sendersTenancy()
      expectAnswer(tenancy.role === "login")
      const first = preparing(tenancy)
      if (first !== undefined) send(first, () => {})
      if (text === undefined)
        return Reflect.apply(send, client, [carry(statement as DriverQuery, tenancy), values, answered])
      if (isControl(text)) forget()
      const asItIs = isControl(text) || (tenancy.role === "login" && isLogin())
      const config = typeof statement === "string" ? { text, values } : { ...(statement as QueryConfig) }
      const name = Array.isArray(config.values) && config.values.length > 0 ? this.nameOf(text) : undefined
      const named = { ...config, ...(name !== undefined && { name }) }
      if (asItIs)
        return Reflect.apply(
          send,
          client,
          name === undefined ? [statement, values, answered] : [named, answered ?? values]
        )
      const described = typeof statement === "string" ? text : named // the driver copies a description property by property
      const own = Reflect.construct(Query, [described, config.values ?? [], answered ?? values])
      Object.assign(own, { name, queryMode: "extended" })
      return Reflect.apply(send, client, [carry(own, tenancy)])
    }
    abandonStandby(client)
    const expectAnswer = connectionWatchdog(client, this.limits.silenceMillis)
    // The driver's client is the caller's: pool, transactions and cursors all go through this one method
    Object.assign(client, { query })
    if (this.limits.prepareStatements) send(tenancyStatement(this.limits.isCluster), () => {})
  }
}

/** What every client has, and its types leave out. */
type WiredClient = PoolClient & {
  readonly connection: EventEmitter & { readonly stream: Duplex }
  readonly readyForQuery: boolean
}

/**
 * Closes the connection when a statement is under way and nothing has come for so long: TCP alone would wait for a quarter of
 * an hour. What it gives is called with every statement; those of the database user, which migrate, may take any time.
 */
const connectionWatchdog = (client: PoolClient, limit: number) => {
  const { connection } = client as WiredClient
  let lastReceived = performance.now()
  let isUnlimited = false
  const received = () => {
    lastReceived = performance.now()
  }
  const watching = setInterval(() => {
    const { readyForQuery } = client as WiredClient
    if (!readyForQuery && !isUnlimited && performance.now() - lastReceived > limit) connection.stream.destroy()
  }, limit / 4)
  watching.unref()
  connection.stream.on("data", received)
  client.once("end", () => clearInterval(watching))
  return (unlimited: boolean) => {
    isUnlimited = unlimited
    received()
  }
}

/** PostgreSQL's word that nothing can be written here: the primary has become a standby. */
const READ_ONLY = "25006"

/** A connection that leads to a standby is closed: the next one is made to the primary. */
const abandonStandby = (client: PoolClient) => {
  const { connection } = client as WiredClient
  connection.on("errorMessage", ({ code }: { readonly code: string }) => {
    if (code === READ_ONLY) setImmediate(() => connection.stream.destroy())
  })
}

/** The text of a statement; a cursor, which is a query already, has none here. */
const textOf = (statement: unknown) => {
  if (typeof statement === "string") return statement
  return Predicate.hasProperty(statement, "submit") ? undefined : (statement as QueryConfig).text
}
