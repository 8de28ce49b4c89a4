import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Schedule, type Scope } from "effect"
import { Client } from "pg"
import { type Cluster, type ClusterOptions, ensureRunning, openCluster, stop, urlOf } from "./postgres/Cluster.ts"
import { type DatabaseInUse, type Ownership, own, ownIfFree } from "./postgres/ownership.ts"
import { PostgresFailed } from "./postgres/PostgresFailed.ts"

const DATABASE = "sprechstunde"

const createDatabase = (cluster: Cluster) =>
  Effect.tryPromise({
    try: async () => {
      const client = new Client({ connectionString: urlOf(cluster, "postgres") })
      await client.connect()
      try {
        const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE])
        if (rowCount === 0) await client.query(`create database ${DATABASE}`)
      } finally {
        await client.end()
      }
    },
    catch: (cause) => new PostgresFailed({ message: `The database cannot be created: ${cause}` })
  })

const stopQuietly = (cluster: Cluster) =>
  stop(cluster).pipe(Effect.catchAll(({ message }) => Effect.logWarning(`The database did not stop: ${message}`)))

/** Starts the server again whenever it dies under us, for as long as we own it. */
const keepAlive = (cluster: Cluster, { lost }: Ownership): Effect.Effect<never> =>
  lost.pipe(
    Effect.zipRight(Effect.logWarning("The embedded database went away; starting it again")),
    Effect.zipRight(
      Effect.zipRight(ensureRunning(cluster), own(cluster)).pipe(
        Effect.tapError(({ message }) => Effect.logError(message)),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.orDie
      )
    ),
    Effect.flatMap((again) => keepAlive(cluster, again))
  )

const whileOwned = (cluster: Cluster, ownership: Ownership) =>
  Effect.zipRight(
    Effect.addFinalizer(() => stopQuietly(cluster)),
    Effect.forkScoped(keepAlive(cluster, ownership))
  )

/**
 * A PostgreSQL of our own in a folder, for as long as the scope lasts; gives the address to connect to. One that an
 * earlier process left running (it was killed) is taken over. A folder that another living process owns is refused.
 */
export const embeddedPostgres = (
  options: ClusterOptions
): Effect.Effect<string, PostgresFailed | DatabaseInUse, Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* openCluster(options)
    yield* ensureRunning(cluster)
    // a short command that owned it may stop it under our eyes: then once more from the start
    const again = Effect.zipRight(ensureRunning(cluster), own(cluster))
    yield* whileOwned(cluster, yield* Effect.catchTag(own(cluster), "PostgresFailed", () => again))
    yield* createDatabase(cluster)
    return urlOf(cluster, DATABASE)
  })

/**
 * The same for a short command beside a server that may be running: uses that server's database, and leaves it on. A folder
 * without a database is refused: a command that looks in the wrong place would find an empty one.
 */
export const embeddedPostgresShared = (options: ClusterOptions): Effect.Effect<string, PostgresFailed, Scope.Scope> =>
  Effect.gen(function* () {
    if (!existsSync(join(options.folder, "data")))
      return yield* new PostgresFailed({
        message: `There is no database in ${options.folder}: start the service first, or set DATA_DIR or DATABASE_URL as it has them`
      })
    const cluster = yield* openCluster(options)
    yield* ensureRunning(cluster)
    const owned = yield* ownIfFree(cluster)
    if (Option.isSome(owned)) yield* whileOwned(cluster, owned.value)
    yield* createDatabase(cluster)
    return urlOf(cluster, DATABASE)
  })
