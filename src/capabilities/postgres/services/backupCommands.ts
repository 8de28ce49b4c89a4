/** The operator's commands of backups. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Console, Data, Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { addedCommand } from "../../../declarations.ts"
import { readDatedList } from "../../shared/services/datedList.ts"
import { archiveSettings, type BackedUp, backup, restore } from "../layers/Backup.ts"

const where = {
  repository: { description: "The folder of backups, on another disk or machine", schema: Schema.String },
  socket: {
    description: "The folder of its socket; default /var/run/postgresql",
    schema: Schema.String,
    isOptional: true
  },
  port: { description: "Its port; default 5432", schema: Schema.NumberFromString.pipe(Schema.int()), isOptional: true }
} as const

interface Given {
  readonly repository: string
  readonly data: string
  readonly socket: string | undefined
  readonly port: number | undefined
}

const located = ({ repository, data, socket = "/var/run/postgresql", port = 5432 }: Given) =>
  Effect.map(
    Settings,
    ({ fileStore }): BackedUp => ({
      socket,
      port,
      repository: resolve(repository),
      data: resolve(data),
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

export const backupCommand = addedCommand({
  name: "backup",
  description: "Back up the PostgreSQL server of this machine and a local file store, by pgBackRest",
  options: {
    ...where,
    data: { description: "The data folder of the PostgreSQL server", schema: Schema.String },
    full: { description: "Everything again, instead of what has changed", schema: Schema.Boolean, isFlag: true },
    "print-settings": {
      description: "Only print the lines of postgresql.conf by which the server archives its WAL",
      schema: Schema.Boolean,
      isFlag: true
    }
  },
  offline: ({ full, "print-settings": printSettings, ...given }) =>
    Effect.gen(function* () {
      const of = yield* located(given)
      if (printSettings)
        return Object.entries(archiveSettings(of))
          .map(([name, value]) => `${name} = ${value}`)
          .join("\n")
      const { copied, removed } = yield* backup(of, full ? "full" : "incr")
      yield* Console.log(
        `The database is backed up; ${copied} files copied, ${removed} removed. The master key is not in it.`
      )
      return yield* bucketNote(of)
    })
})

export const restoreCommand = addedCommand({
  name: "restore",
  description: "Restore the database and the files from a backup, to its end or to a moment",
  options: {
    ...where,
    data: { description: "The data folder of the stopped PostgreSQL server", schema: Schema.String },
    to: { description: "A moment (ISO 8601); default: the end of the archive", schema: Schema.Date, isOptional: true },
    erasures: {
      description:
        "The list of `cli patients erasures`, needed with --to, which brings back who was erased since; default: erasures.ndjson in the repository, if it was written after the moment",
      schema: Schema.String,
      isOptional: true
    },
    "none-erased": {
      description: "Instead: no patient was erased after the moment",
      schema: Schema.Boolean,
      isFlag: true
    }
  },
  offline: ({ to, erasures, "none-erased": noneErased, ...given }) =>
    Effect.gen(function* () {
      if (erasures !== undefined) yield* shown(erasures)
      const isListed = to === undefined || noneErased || erasures !== undefined
      const list = isListed ? erasures : yield* listBeside(given.repository, to)
      const of = yield* located(given)
      const copied = yield* restore(of, to ?? null)
      yield* Console.log(
        `${copied} files copied back. Start PostgreSQL with the settings of \`cli backup --print-settings\`: it replays its WAL. ` +
          `Before the service starts, apply again what was erased since: \`cli patients reapply-erasures ${list === undefined ? "LIST" : resolve(list)}\`, and \`cli organisations erase\`.`
      )
      return yield* bucketNote(of)
    })
})
