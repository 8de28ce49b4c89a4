import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Option } from "effect"
import { Settings } from "../config.ts"
import { archiveSettings, type BackedUp, backup, restore } from "../layers/backup/Backup.ts"
import { readDatedList } from "../services/operation/datedList.ts"

const where = {
  repository: Options.directory("repository").pipe(
    Options.withDescription("The folder of backups, on another disk or machine")
  ),
  data: Options.directory("data").pipe(Options.withDescription("The data folder of the PostgreSQL server")),
  socket: Options.text("socket").pipe(
    Options.withDefault("/var/run/postgresql"),
    Options.withDescription("The folder of its socket")
  ),
  port: Options.integer("port").pipe(Options.withDefault(5432))
}

const located = (given: Omit<BackedUp, "files">) =>
  Effect.map(
    Settings,
    ({ fileStore }): BackedUp => ({
      ...given,
      repository: resolve(given.repository),
      data: resolve(given.data),
      files: fileStore.startsWith("file:") ? resolve(fileStore.slice("file:".length)) : null
    })
  )

/** Whom a restore to a moment would bring back is not known. Nothing was changed. */
class ErasuresNeeded extends Data.TaggedError("ErasuresNeeded")<{ readonly why: string }> {
  override get message() {
    return `A restore to a moment brings back patients who were erased since, and ${this.why}. Name the list of \`cli patients erasures\` with --erasures FILE, or state --none-erased. Nothing was changed`
  }
}

/** Prints when the list was written. Fails with `ListIncomplete`. */
const shown = Effect.fnUntraced(function* (path: string) {
  const { written } = yield* readDatedList(path)
  yield* Console.log(
    `List of erasures: ${path}, written ${written.toISOString()}. Who was erased after that is not in it.`
  )
  return written
})

/**
 * The list beside the backups (docs/restoring.md), for a restore that names none. Fails with `ErasuresNeeded` without one, and for one
 * from before the moment, which has nobody who was erased after it.
 */
const listBeside = Effect.fnUntraced(function* (repository: string, moment: Date) {
  const path = join(resolve(repository), "erasures.ndjson")
  if (!existsSync(path)) return yield* new ErasuresNeeded({ why: `there is no list ${path}` })
  const written = yield* shown(path)
  if (written < moment)
    return yield* new ErasuresNeeded({
      why: `the list ${path} was written before the moment, ${written.toISOString()}`
    })
  return path
})

const bucketNote = ({ files }: BackedUp) =>
  files === null
    ? Console.error("The file store is a bucket: its own versioning and replication back it up.")
    : Effect.void

export const backupCommand = Command.make(
  "backup",
  {
    ...where,
    full: Options.boolean("full").pipe(Options.withDescription("Everything again, instead of what has changed")),
    printSettings: Options.boolean("print-settings").pipe(
      Options.withDescription("Only print the lines of postgresql.conf by which the server archives its WAL")
    )
  },
  ({ full, printSettings, ...given }) =>
    Effect.gen(function* () {
      const of = yield* located(given)
      if (printSettings) {
        const lines = Object.entries(archiveSettings(of)).map(([name, value]) => `${name} = ${value}`)
        return yield* Console.log(lines.join("\n"))
      }
      const { copied, removed } = yield* backup(of, full ? "full" : "incr")
      yield* Console.log(
        `The database is backed up; ${copied} files copied, ${removed} removed. The master key is not in it.`
      )
      yield* bucketNote(of)
    })
).pipe(Command.withDescription("Back up the PostgreSQL server of this machine and a local file store, by pgBackRest"))

export const restoreCommand = Command.make(
  "restore",
  {
    ...where,
    data: Options.text("data").pipe(Options.withDescription("The data folder of the stopped PostgreSQL server")),
    to: Options.optional(
      Options.date("to").pipe(Options.withDescription("A moment (ISO 8601); default: the end of the archive"))
    ),
    erasures: Options.optional(
      Options.file("erasures", { exists: "yes" }).pipe(
        Options.withDescription(
          "The list of `cli patients erasures`, needed with --to, which brings back who was erased since; default: erasures.ndjson in the repository, if it was written after the moment"
        )
      )
    ),
    noneErased: Options.boolean("none-erased").pipe(
      Options.withDescription("Instead: no patient was erased after the moment")
    )
  },
  ({ to, erasures, noneErased, ...given }) =>
    Effect.gen(function* () {
      if (Option.isSome(erasures)) yield* shown(erasures.value)
      const list = yield* Option.isNone(to) || noneErased || Option.isSome(erasures)
        ? Effect.succeed(erasures)
        : Effect.asSome(listBeside(given.repository, to.value))
      const of = yield* located(given)
      const copied = yield* restore(of, Option.getOrNull(to))
      yield* Console.log(
        `${copied} files copied back. Start PostgreSQL with the settings of \`cli backup --print-settings\`: it replays its WAL. ` +
          `Before the service starts, apply again what was erased since: \`cli patients reapply-erasures ${Option.match(list, { onNone: () => "LIST", onSome: (path) => resolve(path) })}\`, and \`cli organisations erase\`.`
      )
      yield* bucketNote(of)
    })
).pipe(Command.withDescription("Restore the database and the files from a backup, to its end or to a moment"))
