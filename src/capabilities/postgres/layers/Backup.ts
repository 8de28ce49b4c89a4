/**
 * Backup and restore of a PostgreSQL server with pgBackRest, and of the file store. Runs on the database's machine. Backups do
 * not contain the master key, without which encrypted data cannot be decrypted. Section 15.3.
 */
import { chownSync, existsSync, mkdirSync } from "node:fs"
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Data, Effect, Schema } from "effect"
import { run } from "./commands.ts"
import { identityFor } from "./identity.ts"

export interface BackedUp {
  /**
   * The folder of backups, with `database` (pgBackRest's repository), `files` (to which FILE_ARCHIVE copies each new file at
   * once) and `removed` (deleted files, in a folder for the second in which a backup found them missing from the store).
   */
  readonly repository: string
  /** The server's data folder. */
  readonly data: string
  /** The folder of the server's socket, and its port. */
  readonly socket: string
  readonly port: number
  /** The folder of a local file store; null for a bucket, which has its own versioning. */
  readonly files: string | null
}

export class BackupRefused extends Data.TaggedError("BackupRefused")<{ readonly message: string }> {}

const STANZA = "sprechstunde"

const programOptions = ({ repository, data }: Pick<BackedUp, "repository" | "data">) => [
  ...repositoryOptions(repository),
  `--pg1-path=${data}`
]

const repositoryOptions = (repository: string) => [
  "--no-config",
  `--stanza=${STANZA}`,
  `--repo1-path=${join(repository, "database")}`,
  `--lock-path=${join(repository, "lock")}`,
  "--log-level-file=off",
  "--log-level-console=warn"
]

/** Settings of postgresql.conf that archive WAL to the repository, at least every minute. */
export const archiveSettings = (of: Pick<BackedUp, "repository" | "data">): Readonly<Record<string, string>> => ({
  wal_level: "replica",
  archive_mode: "on",
  archive_timeout: "60",
  archive_command: `'pgbackrest ${programOptions(of).join(" ")} archive-push %p'`
})

/** Runs pgBackRest as the user who owns the data folder. */
const pgbackrest = Effect.fnUntraced(function* (
  of: BackedUp,
  args: ReadonlyArray<string>,
  options = programOptions(of)
) {
  const identity = yield* identityFor(of.data, [])
  for (const folder of ["", "database", "lock"]) {
    const path = join(of.repository, folder)
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 })
    if (identity._tag !== "Ourselves") chownSync(path, identity.uid, identity.gid)
  }
  return yield* run(identity, "pgbackrest", [...options, ...args])
})

const pathsIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  existsSync(folder)
    ? (await readdir(folder, { withFileTypes: true, recursive: true }))
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : []

const isSame = async (from: string, to: string) => {
  if (!existsSync(to)) return false
  const [a, b] = await Promise.all([stat(from), stat(to)])
  return a.size === b.size && Math.floor(a.mtimeMs) === Math.floor(b.mtimeMs)
}

const copyNew = async (from: string, to: string) => {
  let copied = 0
  for (const path of await pathsIn(from)) {
    const [source, target] = [join(from, path), join(to, path)]
    if (await isSame(source, target)) continue
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(source, `${target}.tmp`)
    const { atime, mtime } = await stat(source)
    await utimes(`${target}.tmp`, atime, mtime)
    await rename(`${target}.tmp`, target)
    copied += 1
  }
  return copied
}

/**
 * Files missing from the store were erased. Moves them from `files` to `removed`, where a point-in-time restore finds them
 * until no backup is older. Fails with `BackupRefused` if most files are missing, which indicates a lost store.
 */
const archiveRemoved = Effect.fnUntraced(function* (
  store: string,
  { backup, removed }: Record<"backup" | "removed", string>
) {
  const [kept, there] = yield* Effect.promise(() => Promise.all([pathsIn(backup), pathsIn(store)]))
  const present = new Set(there)
  const gone = kept.filter((path) => !present.has(path))
  if (gone.length > 10 && gone.length * 2 > kept.length)
    return yield* new BackupRefused({
      message: `${gone.length} of ${kept.length} files are gone from ${store}: the backup keeps them. Restore the store, or remove them from ${backup}`
    })
  yield* Effect.promise(() => Promise.all(gone.map((path) => move(join(backup, path), join(removed, path)))))
  return gone.length
})

const move = async (from: string, to: string) => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rename(from, to)
}

/** Folders of removed files by the second of their removal. */
const removals = async (repository: string) =>
  existsSync(join(repository, "removed"))
    ? (await readdir(join(repository, "removed"))).map((name) => ({
        at: Number(name),
        path: join(repository, "removed", name)
      }))
    : []

const Info = Schema.parseJson(
  Schema.Array(
    Schema.Struct({ backup: Schema.Array(Schema.Struct({ timestamp: Schema.Struct({ stop: Schema.Number }) })) })
  )
)

/** The earliest point in time that can be restored, Unix seconds. */
const earliestMoment = Effect.fnUntraced(function* (of: BackedUp) {
  const written = yield* pgbackrest(of, ["--output=json", "info"], repositoryOptions(of.repository))
  const stanzas = yield* Effect.orDie(Schema.decode(Info)(written.slice(written.indexOf("["))))
  return Math.min(...stanzas.flatMap(({ backup }) => backup.map(({ timestamp }) => timestamp.stop)))
})

/** Backs up the server, then the files to which its rows refer. Fails with `PostgresFailed` and `BackupRefused`. */
export const backup = Effect.fn("Backup.backup")(function* (of: BackedUp, type: "full" | "incr") {
  const server = [`--pg1-socket-path=${of.socket}`, `--pg1-port=${of.port}`, "--pg1-user=postgres"]
  yield* pgbackrest(of, [...server, "stanza-create"])
  yield* pgbackrest(of, [
    ...server,
    "--start-fast",
    "--compress-type=lz4",
    "--repo1-retention-full=2",
    `--type=${type}`,
    "backup"
  ])
  if (of.files === null) return { copied: 0, removed: 0 }
  const [store, kept] = [of.files, join(of.repository, "files")]
  const copied = yield* Effect.promise(() => copyNew(store, kept))
  const now = Math.floor(Date.now() / 1_000) // not DomainClock: compared with the times of the server's backups
  const gone = { backup: kept, removed: join(of.repository, "removed", String(now)) }
  const removed = yield* archiveRemoved(store, gone)
  const earliest = yield* earliestMoment(of)
  yield* Effect.promise(async () => {
    for (const { at, path } of await removals(of.repository))
      if (at < earliest) await rm(path, { recursive: true, force: true })
  })
  return { copied, removed }
})

/**
 * Restores the stopped server's data folder to the end of the archived WAL or to a point in time; the server replays the WAL
 * when it starts. Copies back files that the store lacks, for a point in time also those removed since. Fails with
 * `PostgresFailed`, also if the server is running.
 */
export const restore = Effect.fn("Backup.restore")(function* (of: BackedUp, to: Date | null) {
  if (!existsSync(of.data)) {
    mkdirSync(of.data, { recursive: true, mode: 0o700 })
    const identity = yield* identityFor(of.data, [])
    if (identity._tag !== "Ourselves") chownSync(of.data, identity.uid, identity.gid)
  }
  const target =
    to === null ? [] : ["--type=time", `--target=${to.toISOString().replace("T", " ").replace("Z", "+00")}`]
  yield* pgbackrest(of, ["--delta", ...target, ...(to === null ? [] : ["--target-action=promote"]), "restore"])
  const store = of.files
  if (store === null) return 0
  const since = to === null ? Number.POSITIVE_INFINITY : to.getTime() / 1_000
  return yield* Effect.promise(async () => {
    let copied = await copyNew(join(of.repository, "files"), store)
    for (const { at, path } of await removals(of.repository)) if (at >= since) copied += await copyNew(path, store)
    return copied
  })
})
