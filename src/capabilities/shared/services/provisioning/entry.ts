/** One entry of a provisioning file: its location, its key, and how it is written. */
import { SqlError } from "@effect/sql"
import { Data, Effect, Schema } from "effect"
import type { Declarations } from "../../../../declarations.ts"
import type { OrganisationUid } from "../../../../schemas/ids.ts"
import type { Fault, Invalid } from "../../../../schemas/problems.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import {
  constraintOf,
  FOREIGN_KEY_VIOLATION,
  sqlStateOf,
  UNIQUE_VIOLATION
} from "../../../../services/database/SqlErrors.ts"
import type { CurrentTenant } from "../../../../services/tenancy/Tenancy.ts"
import type { AddedLists, ProvisioningFile } from "../../schemas/ProvisioningFile.ts"

declare module "../../../../declarations.ts" {
  interface AddedParts {
    /** Its lists in the provisioning file. */
    readonly lists: AddedLists
    /** A sample provisioning file, with an entry in every list of the core. */
    readonly provisioningExample: Effect.Effect<object>
  }
}

declare module "../../../../services/Extensions.ts" {
  interface AddedExtension {
    /** Lists of the provisioning file, written after the core's of organisations. */
    readonly provisioning: ReadonlyArray<ListOfFile>
    /** Those to which appointment types refer: written before these. */
    readonly provisioningOfTypes: ReadonlyArray<ListOfFile>
    /** Fills an empty installation for trying out, in the operator's role. `afterwards`: what goes on once the service listens. */
    readonly filled: Effect.Effect<{ readonly afterwards: Effect.Effect<void> }, never, CurrentTenant>
  }
}

/** The lists of these capabilities. */
export const listsOf = (on: ReadonlyArray<Declarations>): AddedLists =>
  Object.assign({}, ...on.map(({ lists }) => lists))

/** The faults of a file, each with its JSON path. Nothing of the file has been applied. */
export class ProvisioningRejected extends Data.TaggedError("ProvisioningRejected")<{
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return `The provisioning file was rejected, nothing has changed:\n${this.faults.map((fault) => `  ${fault}`).join("\n")}`
  }
}

export const rejected = (path: string, message: string) => new ProvisioningRejected({ faults: [`${path}: ${message}`] })

export const reject = (path: string, message: string) => Effect.fail(rejected(path, message))

/** The faults of an entry's fields. */
export const rejectAll = (path: string, faults: ReadonlyArray<Fault>) =>
  new ProvisioningRejected({ faults: faults.map(({ field, message }) => `${path}.${field}: ${message}`) })

/** Fault of a reference. */
export const MISSING = "refers to something that does not exist"

/** The field of a constraint, by the constraint's name: its last column. */
export type FieldsOfConstraints = ReadonlyMap<string, string>

/** Cache of organisations of records that entries belong to, filled during the run: a doctor's for all of their rules. */
export type FoundOwners = Map<string, OrganisationUid>

/** Read beforehand: with row-level security PostgreSQL's errors name the constraint, but not its columns. */
export const fieldsOfConstraints = Effect.gen(function* () {
  const sql = yield* Sql
  const rows = yield* named.all(sql`SELECT conname AS name, attname AS field FROM pg_constraint
      JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[array_upper(conkey, 1)]
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexrelid::regclass::text, attname FROM pg_index
      JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[indnkeyatts - 1]
      WHERE indisunique`)
  return new Map(rows.map(({ name, field }) => [name, field]))
})

const named = rowsOf(Schema.Struct({ name: Schema.String, field: Schema.String }))

/** Maps a violated constraint to a fault of the entry. The file's schema excludes all other violations. */
const describe = (path: string, error: SqlError.SqlError, fields: FieldsOfConstraints) => {
  const state = sqlStateOf(error)
  const field = fields.get(constraintOf(error) ?? "")
  const at = field === undefined ? path : `${path}.${field}`
  if (state === FOREIGN_KEY_VIOLATION) return reject(at, MISSING)
  if (state === UNIQUE_VIOLATION) return reject(at, "is used already by another entry")
  return Effect.die(error)
}

/** Fails without a row: the reference at `path` is missing. */
export const mustFind = <T, E, R>(path: string, rows: Effect.Effect<ReadonlyArray<T>, E, R>) =>
  Effect.flatMap(rows, ([row]) => (row === undefined ? reject(path, MISSING) : Effect.succeed(row)))

/** Fails if there is a row: the name at `path` belongs to another record. */
export const mustNotFind = <T, E, R>(path: string, message: string, rows: Effect.Effect<ReadonlyArray<T>, E, R>) =>
  Effect.flatMap(rows, ([row]) => (row === undefined ? Effect.void : reject(path, message)))

type Failure = ProvisioningRejected | SqlError.SqlError

/** Rows of one table, by equal columns. */
export type Rows = readonly [table: string, where: Readonly<Record<string, string | Buffer>>]

export interface Entry {
  readonly list: string
  readonly index: number
  /** Key within its list. */
  readonly key: string
  /** Path of its key field. */
  readonly path: string
  /** Before the transaction: what calls others, such as name servers. */
  readonly examine: Effect.Effect<void, ProvisioningRejected>
  readonly write: (
    fields: FieldsOfConstraints,
    owners: FoundOwners
  ) => Effect.Effect<void, ProvisioningRejected, CurrentTenant>
  /** Writes entries of the same list at once and returns the indices of those that are left to `write`. */
  readonly writeMany: ((indices: ReadonlySet<number>) => ManyWritten) | undefined
  /** The rows of the entry; the first table has at most one. */
  readonly rows: ReadonlyArray<Rows>
}

type ManyWritten = Effect.Effect<ReadonlySet<number>, SqlError.SqlError, CurrentTenant>

export interface ListOptions<T> {
  readonly key: (entry: T) => string
  /** The field reported for a duplicate; default `uid`. */
  readonly named?: string
  /** Before the transaction. Default: nothing. */
  readonly examine?: (entry: T) => Effect.Effect<void, Invalid>
  readonly write: (entry: T, path: string, owners: FoundOwners) => Effect.Effect<unknown, Failure, CurrentTenant>
  /**
   * Writes many entries in few statements, and returns those that are left to `write`. If it fails it is rolled back and `write` writes
   * each, which finds the fault. Default: all are left.
   */
  readonly writeMany?: (entries: ReadonlyArray<T>) => Effect.Effect<ReadonlyArray<T>, SqlError.SqlError, CurrentTenant>
  readonly rows: (entry: T) => ReadonlyArray<Rows>
}

type ListName = Exclude<keyof ProvisioningFile, "$schema">
type Lists = { readonly [K in ListName]: ReadonlyArray<ProvisioningFile[K][number]> }

/** Reads a list of the file as entries. */
export type ListOfFile = (file: Readonly<Record<string, unknown>>) => ReadonlyArray<Entry>

/** A list whose schema a capability has added. */
export const addedList =
  <T>(name: string, { key, named = "uid", examine, write, writeMany, rows }: ListOptions<T>): ListOfFile =>
  (file) => {
    const entries = (file[name] ?? []) as ReadonlyArray<T> // as the list's schema has decoded them
    const many =
      writeMany &&
      ((wanted: ReadonlySet<number>): ManyWritten => {
        const indexOf = new Map(entries.flatMap((entry, index) => (wanted.has(index) ? [[entry, index]] : [])))
        const indicesOf = (left: ReadonlyArray<T>) => new Set(left.flatMap((entry) => indexOf.get(entry) ?? []))
        return Effect.map(writeMany([...indexOf.keys()]), indicesOf)
      })
    return entries.map((entry, index) => {
      const path = `${name}[${index}]`
      return {
        list: name,
        index,
        key: key(entry),
        path: `${path}.${named}`,
        examine:
          examine === undefined
            ? Effect.void
            : Effect.mapError(examine(entry), ({ faults }) => rejectAll(path, faults)),
        write: (fields, owners) =>
          Effect.asVoid(write(entry, path, owners)).pipe(
            Effect.catchIf(
              (error) => error instanceof SqlError.SqlError,
              (error) => describe(path, error, fields)
            )
          ),
        writeMany: many,
        rows: rows(entry)
      }
    })
  }

/** A list of the core. */
export const list = <K extends keyof Lists>(name: K, options: ListOptions<Lists[K][number]>) =>
  addedList<Lists[K][number]>(name, options)

/** Faults of entries whose key already occurs in their list. */
export const duplicates = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const first = new Map<string, Entry>()
  return entries.flatMap((entry) => {
    const name = JSON.stringify([entry.list, entry.key])
    const earlier = first.get(name)
    if (earlier === undefined) first.set(name, entry)
    return earlier === undefined ? [] : [`${entry.path}: is used by ${entry.list}[${earlier.index}] already`]
  })
}

/** Fails if another organisation uses the name: names by which the organisation itself is looked up must be unique. */
export const ownerCheck = Effect.gen(function* () {
  const sql = yield* Sql
  return (table: string, column: string, value: string, owner: string, path: string) =>
    sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${value} AND organisation_uid <> ${owner} LIMIT 1`.pipe(
      Effect.filterOrFail(
        (rows) => rows.length === 0,
        () => rejected(`${path}.${column}`, "belongs to another organisation")
      )
    )
})
