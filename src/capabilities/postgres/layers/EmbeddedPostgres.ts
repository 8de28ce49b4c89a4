import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Schedule, type Scope } from "effect"
import { withClient } from "../../../services/database/withClient.ts"
import { type Cluster, type ClusterOptions, ensureRunning, openCluster, stop, urlOf } from "./Cluster.ts"
import { type DatabaseInUse, type Ownership, own, ownIfFree } from "./ownership.ts"
import { PostgresFailed } from "./PostgresFailed.ts"

const DATABASE = "sprechstunde"

const createDatabase = (cluster: Cluster) =>
  Effect.tryPromise({
    try: () =>
      withClient({ connectionString: urlOf(cluster, "postgres") }, async (client) => {
        const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE])
        if (rowCount === 0) await client.query(`create database ${DATABASE}`)
      }),
    catch: (cause) => new PostgresFailed({ message: `The database cannot be created: ${cause}` })
  })

const stopQuietly = (cluster: Cluster) =>
  stop(cluster).pipe(Effect.catchAll(({ message }) => Effect.logWarning(`The database did not stop: ${message}`)))

/** Restarts the server whenever it dies, as long as this process owns it. */
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
 * An embedded PostgreSQL in a folder, for the lifetime of the scope; returns its URL. Takes over a server that a killed
 * process left running. Fails with `DatabaseInUse` if another live process owns the folder.
 */
export const embeddedPostgres = (
  options: ClusterOptions
): Effect.Effect<string, PostgresFailed | DatabaseInUse, Scope.Scope> =>
  Effect.gen(function* () {
    const cluster = yield* openCluster(options)
    yield* ensureRunning(cluster)
    // A short command that owned the server may stop it just now: retry once from the start
    const again = Effect.zipRight(ensureRunning(cluster), own(cluster))
    yield* whileOwned(cluster, yield* Effect.catchTag(own(cluster), "PostgresFailed", () => again))
    yield* createDatabase(cluster)
    return urlOf(cluster, DATABASE)
  })

/**
 * The same for short commands: uses the database of a running server and does not stop it. Fails for a folder without a
 * database, so that a command with a wrong path does not work on a new, empty one.
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
