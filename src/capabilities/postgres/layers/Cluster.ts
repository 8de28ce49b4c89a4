import { createHash } from "node:crypto"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Schedule } from "effect"
import type { ClientConfig } from "pg"
import { withClient } from "../../../services/database/withClient.ts"
import { type Binaries, findBinaries } from "./binaries.ts"
import { run } from "./commands.ts"
import { type Identity, identityFor } from "./identity.ts"
import { PostgresFailed } from "./PostgresFailed.ts"

export interface ClusterOptions {
  /** Folder of the database, its log and, if the path is short enough, its socket. */
  readonly folder: string
  /** Folder with `initdb` and `pg_ctl`. Default: the npm package's. */
  readonly binaries?: string
  /** Further server settings, in the syntax of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** An embedded PostgreSQL database cluster, running or stopped. */
export interface Cluster {
  readonly data: string
  readonly log: string
  readonly socket: string
  readonly identity: Identity
  readonly binaries: Binaries
  readonly settings: Readonly<Record<string, string>>
}

// A Unix socket path may have 103 bytes on macOS and 107 on Linux, including "/.s.PGSQL.5432"
const SOCKET_FOLDER_MAX = 103 - "/.s.PGSQL.5432".length

const socketFolder = (folder: string) => {
  const beside = join(folder, "run")
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16)
  return Buffer.byteLength(beside) <= SOCKET_FOLDER_MAX ? beside : join(tmpdir(), `sprechstunde-${name}`)
}

const ownFolder = (identity: Identity, folder: string) => {
  mkdirSync(folder, { recursive: true })
  if (identity._tag !== "Ourselves") chownSync(folder, identity.uid, identity.gid)
  chmodSync(folder, 0o700)
}

const files = <A>(what: () => A) =>
  Effect.try({ try: what, catch: (cause) => new PostgresFailed({ message: `The database's folder: ${cause}` }) })

export const openCluster = Effect.fn("Cluster.open")(function* (options: ClusterOptions) {
  const binaries = yield* findBinaries(options.binaries)
  const folder = yield* files(() => {
    mkdirSync(options.folder, { recursive: true })
    return realpathSync(resolve(options.folder))
  })
  const data = join(folder, "data")
  const identity = yield* identityFor(data, [binaries.folder, join(folder, "..")])
  const socket = socketFolder(folder)
  yield* files(() => ownFolder(identity, folder))
  const cluster: Cluster = {
    data,
    log: join(folder, "log"),
    socket,
    identity,
    binaries,
    settings: {
      listen_addresses: "''", // only the Unix socket: only its owner may open the folder, and it is twice as fast
      unix_socket_directories: `'"${socket.replaceAll("'", "''")}"'`,
      max_connections: "200",
      timezone: "'UTC'",
      log_timezone: "'UTC'",
      jit: "off",
      ...options.settings
    }
  }
  if (!existsSync(data)) yield* initialise(cluster)
  return cluster
})

/** Initialises into a temporary folder and renames it, so that an incomplete database is never used. */
const initialise = Effect.fn("Cluster.initialise")(function* ({ binaries, data, identity }: Cluster) {
  const beside = `${data}.new-${process.pid}`
  const version = yield* run(identity, binaries.initdb, ["--version"])
  const locale = Number(/\d+/.exec(version)?.[0]) >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : []
  yield* files(() => rmSync(beside, { recursive: true, force: true }))
  yield* run(identity, binaries.initdb, [
    `--pgdata=${beside}`,
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    locale.length > 0 ? "--locale=C" : "--locale=C.UTF-8",
    ...locale,
    "--no-sync",
    "--no-instructions"
  ])
  yield* files(() => (existsSync(data) ? rmSync(beside, { recursive: true }) : renameSync(beside, data)))
})

export const urlOf = ({ socket }: Cluster, database: string) =>
  `postgresql://postgres@localhost:5432/${database}?host=${encodeURIComponent(socket)}`

/** Of a connection by this name. */
export const configOf = (cluster: Cluster, application_name: string): ClientConfig => ({
  connectionString: urlOf(cluster, "postgres"),
  connectionTimeoutMillis: 5_000,
  application_name
})

export const unanswered = (cause: unknown) =>
  new PostgresFailed({ message: `The embedded database does not answer: ${cause}` })

/** Fails unless the server answers and runs on this data folder. */
const probe = (cluster: Cluster) =>
  Effect.tryPromise({
    try: () =>
      withClient(configOf(cluster, "sprechstunde start"), (client) =>
        client.query<{ data_directory: string }>("show data_directory")
      ),
    catch: unanswered
  }).pipe(
    Effect.filterOrFail(
      ({ rows }) => rows[0]?.data_directory === cluster.data,
      () => new PostgresFailed({ message: `Another database listens in ${cluster.socket}` })
    )
  )

const logTail = (cluster: Cluster) =>
  files(() => readFileSync(cluster.log, "utf8").trim().split("\n").slice(-5).join("\n")).pipe(
    Effect.orElseSucceed(() => "")
  )

const start = Effect.fn("Cluster.start")(function* (cluster: Cluster) {
  const lines = Object.entries(cluster.settings).map(([name, value]) => `${name} = ${value}\n`)
  const { identity, binaries, data, log, socket } = cluster
  yield* files(() => {
    ownFolder(identity, socket)
    writeFileSync(join(data, "postgresql.conf"), lines.join(""))
  })
  const started = run(identity, binaries.pgCtl, ["start", "--wait", "--timeout=60", "--silent", "-D", data, "-l", log])
  // pg_ctl polls ten times a second; probing the server directly is faster
  const answers = Effect.retry(probe(cluster), Schedule.spaced("10 millis"))
  yield* Effect.raceFirst(Effect.disconnect(started), answers)
})

/**
 * Uses the server that already runs on this folder, or starts one. A postmaster that was just killed seems alive for a
 * second or two and leaves its pid file, so this retries for 30 seconds. Only PostgreSQL decides whether that file is stale.
 */
export const ensureRunning = Effect.fn("Cluster.ensureRunning")((cluster: Cluster) =>
  probe(cluster).pipe(
    Effect.catchAll(() => Effect.zipRight(start(cluster), probe(cluster))),
    Effect.retry(Schedule.spaced("250 millis").pipe(Schedule.upTo("30 seconds"))),
    Effect.catchAll(({ message }) =>
      Effect.flatMap(logTail(cluster), (words) => new PostgresFailed({ message: `${message}\n${words}` }))
    ),
    Effect.asVoid
  )
)

export const stop = Effect.fn("Cluster.stop")(function* ({ binaries, data, identity, socket }: Cluster) {
  yield* run(identity, binaries.pgCtl, ["stop", "--wait", "--mode=fast", "--silent", "-D", data])
  yield* files(() => rmSync(socket, { recursive: true, force: true }))
})
