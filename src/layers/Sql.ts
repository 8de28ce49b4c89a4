/** The SQL client on `ServicePool`. Types: timestamptz as Unix seconds, int8 as number, date and numeric as text. */
import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, FiberRef, Layer, Metric, Redacted, Schedule, Stream } from "effect"
import { type Pool, types } from "pg"
import { Settings } from "../config.ts"
import { Connections, retryOutage } from "../services/database/Database.ts"
import { isOverload, isTransient } from "../services/database/SqlErrors.ts"
import { staleReadsAllowed } from "../services/database/staleReads.ts"
import { Topology } from "../services/database/Topology.ts"
import { timeouts } from "../services/database/timeouts.ts"
import { poolConnections, poolSize } from "../services/metrics.ts"
import { DatabaseUrl } from "./Database.ts"
import { acquire, onOneOf, reserve } from "./postgres/connection.ts"
import { type ConnectionTo, connectionTo } from "./postgres/hosts.ts"
import { ServicePool } from "./postgres/ServicePool.ts"
import { makeStandby, type Standby } from "./postgres/Standby.ts"
import { lightly } from "./postgres/statements.ts"
import { TopologyLive } from "./Topology.ts"

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.builtins.TIMESTAMPTZ, (text) => secondsOf(text)],
  [types.builtins.INT8, Number],
  [types.builtins.DATE, (text) => text],
  [types.builtins.NUMERIC, (text) => text]
])

/** Days from 1970-01-01 to a date. Years are counted from March, so that leap days come last. */
const daysTo = (year: number, month: number, day: number) => {
  const from = month > 2 ? year : year - 1
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return from * 365 + Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400) + ofYear - 719_468
}

const DASH = 45
const ZERO = 48

/** `2026-03-15 10:00:00.5+01` as whole Unix seconds, by arithmetic. A year of other than four digits takes the slow way. */
export const secondsOf = (text: string): number => {
  const zone = Math.max(text.lastIndexOf("+"), text.lastIndexOf("-"))
  if (text.charCodeAt(4) !== DASH || zone < 19 || text.length > zone + 6)
    return Math.floor(Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")) / 1000)
  const at = (from: number) => (text.charCodeAt(from) - ZERO) * 10 + text.charCodeAt(from + 1) - ZERO
  const days = daysTo(at(0) * 100 + at(2), at(5), at(8))
  const offset = at(zone + 1) * 3600 + (text.length > zone + 3 ? at(zone + 4) * 60 : 0)
  const local = days * 86_400 + at(11) * 3600 + at(14) * 60 + at(17)
  return text.charCodeAt(zone) === DASH ? local + offset : local - offset
}

const typeParsers = {
  getTypeParser: (oid: number, format?: "text" | "binary") => parsers.get(oid) ?? types.getTypeParser(oid, format)
}

/**
 * Milliseconds until an unused connection is closed: longer than the minute of periodic work, for which an idle service would otherwise
 * open new ones each time. A new one costs PostgreSQL tens of milliseconds for the first plans.
 */
export const IDLE_MILLIS = 180_000

/** Creates a pool of `size` connections (default: DATABASE_POOL_SIZE), opened on demand. */
export const poolTo = Effect.fnUntraced(function* (to: ConnectionTo, application_name: string, size?: number) {
  const topology = yield* Topology
  const { databasePoolSize, databaseWaitingMax, databasePreparedStatements } = yield* Settings
  const pool = new ServicePool(
    {
      ...to,
      max: size ?? databasePoolSize,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: IDLE_MILLIS,
      application_name,
      types: typeParsers,
      ...timeouts
    },
    {
      waitingMax: databaseWaitingMax,
      prepareStatements: databasePreparedStatements,
      silenceMillis: timeouts.statement_timeout + 5_000,
      topology
    }
  )
  pool.on("error", () => undefined) // a broken idle connection is replaced; without a listener its error would terminate the process
  return pool
})

/** The pool to the primary; fails if the database does not answer. */
const openPool = Effect.flatMap(DatabaseUrl, (url) => poolTo(connectionTo(Redacted.value(url)), "sprechstunde")).pipe(
  Effect.tap((pool) =>
    Effect.tryPromise({
      try: () => pool.connect().then((client) => client.release()),
      catch: (cause) => new SqlError.SqlError({ cause, message: "The database does not answer" })
    })
  )
)

/** Closes the pool; waits at most a second for connections in use. */
export const close = (pool: Pool) => Effect.promise(() => Promise.race([pool.end(), Bun.sleep(1_000)]))

/** Updates the pool's gauges every few seconds. */
const metered = (pool: Pool) => {
  const set = (state: string, count: number) => Metric.set(Metric.tagged(poolConnections, "state", state), count)
  return Effect.suspend(() =>
    Effect.all([
      set("busy", pool.totalCount - pool.idleCount),
      set("idle", pool.idleCount),
      set("waited_for", pool.waitingCount),
      Metric.set(poolSize, pool.options.max)
    ])
  ).pipe(Effect.repeat(Schedule.spaced("5 seconds")), Effect.forkScoped)
}

const isSingleRead = (text: string) =>
  /^\s*SELECT\b/i.test(text) && !/\bFOR\s+((NO\s+)?KEY\s+)?(UPDATE|SHARE)\b/i.test(text)

/** Runs statements outside of transactions, each on its own connection; retries a read whose connection breaks. */
const singleStatements = (primary: Pool, standby: Standby | undefined): Connection => {
  const onPrimary = onOneOf(primary)
  const run = <A>(text: string, use: (connection: Connection) => Effect.Effect<A, SqlError.SqlError>) => {
    // A change is not sent twice: its connection may break after it was done
    if (!isSingleRead(text)) return onOneOf(primary, retryOutage)(use)
    const read = retryOutage(onPrimary(use))
    if (standby === undefined) return read
    return Effect.if(
      Effect.flatMap(FiberRef.get(staleReadsAllowed), (allowed) =>
        allowed ? standby.isUpToDate : Effect.succeed(false)
      ),
      {
        // A standby cancels reads that conflict with WAL replay
        onTrue: () =>
          Effect.catchIf(
            onOneOf(standby.pool)(use),
            (error) => isTransient(error) || isOverload(error),
            () => read
          ),
        onFalse: () => read
      }
    )
  }
  return {
    execute: (text, values, rows) => run(text, (connection) => connection.execute(text, values, rows)),
    executeRaw: (text, values) => run(text, (connection) => connection.executeRaw(text, values)),
    executeValues: (text, values) => run(text, (connection) => connection.executeValues(text, values)),
    executeUnprepared: (text, values, rows) =>
      run(text, (connection) => connection.executeUnprepared(text, values, rows)),
    executeStream: () => Stream.dieMessage("Read page by page")
  }
}

/** The pool to the primary. */
export class Primary extends Context.Tag("layers/Primary")<Primary, ServicePool>() {}

const PrimaryLive = Layer.scoped(Primary, Effect.acquireRelease(openPool, close).pipe(Effect.tap(metered)))

// The cast: pg's type of parsers is narrower than what it accepts.
export const looseTypes = typeParsers as never

const Client = Layer.unwrapEffect(
  Effect.map(Primary, (pool) =>
    PgClient.layerFromPool({ acquire: Effect.succeed(pool), applicationName: "sprechstunde", types: looseTypes })
  )
).pipe(
  Layer.provideMerge(PrimaryLive),
  Layer.retry(Schedule.spaced("500 millis").pipe(Schedule.intersect(Schedule.recurs(20)))),
  Layer.provideMerge(TopologyLive)
)

const standbyOf = Effect.gen(function* () {
  const { databaseUrlRead: url, databaseReadLagSeconds: lagSeconds } = yield* Settings
  if (url === undefined) return undefined
  const standby = Effect.acquireRelease(poolTo({ connectionString: Redacted.value(url) }, "sprechstunde reads"), close)
  const context = yield* Effect.context<Settings | Topology>()
  return yield* makeStandby({
    primary: yield* Primary,
    standby: Effect.provide(standby, context),
    lagSeconds
  })
})

export const SqlLive = Layer.scoped(
  SqlClient.SqlClient,
  Effect.gen(function* () {
    const primary = yield* Primary
    const single = singleStatements(primary, yield* standbyOf)
    const sql = yield* SqlClient.make({
      acquirer: Effect.succeed(single),
      transactionAcquirer: reserve(primary),
      compiler: PgClient.makeCompiler(),
      spanAttributes: []
    })
    return lightly(sql, single)
  })
).pipe(
  Layer.merge(
    Layer.effect(
      Connections,
      Effect.map(Primary, (primary) => ({ acquire: acquire(primary) }))
    )
  ),
  Layer.provide(Reactivity.layer),
  Layer.provideMerge(Client)
)
