/** One entry of the file into one row of the database, with the place in the file named when it does not fit. */
import { SqlError } from "@effect/sql"
import { Data, Effect, Predicate } from "effect"
import { FOREIGN_KEY_VIOLATION, sqlStateOf, UNIQUE_VIOLATION } from "../SqlErrors.ts"

/** What is wrong with the file, by JSON path; nothing of it has been applied. */
export class ProvisioningRejected extends Data.TaggedError("ProvisioningRejected")<{
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return `The provisioning file was rejected, nothing has changed:\n${this.faults.map((fault) => `  ${fault}`).join("\n")}`
  }
}

export const rejected = (path: string, message: string) => new ProvisioningRejected({ faults: [`${path}: ${message}`] })

export const reject = (path: string, message: string) => Effect.fail(rejected(path, message))

const detailOf = (error: SqlError.SqlError): string =>
  Predicate.hasProperty(error.cause, "detail") && typeof error.cause.detail === "string" ? error.cause.detail : ""

/** `Key (organisation_uid, doctor_uid)=(…) is not present in table "doctors".` names the field by its last column. */
const lastColumn = (detail: string) => /\(([^)]*)\)=/.exec(detail)?.[1]?.split(", ").at(-1)

const describe = (path: string, error: SqlError.SqlError) => {
  const state = sqlStateOf(error)
  const column = lastColumn(detailOf(error))
  const at = column === undefined ? path : `${path}.${column}`
  if (state === FOREIGN_KEY_VIOLATION) return reject(at, "refers to something that does not exist")
  if (state === UNIQUE_VIOLATION) return reject(at, "is used already by another entry")
  return Effect.die(error) // whatever else the database could refuse, the file's schema has refused before
}

/** Runs `write` for every entry of a list, in order; a row that the database refuses rejects the file at its path. */
export const eachEntry = <T, E, R>(
  list: string,
  entries: ReadonlyArray<T>,
  write: (entry: T, path: string) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, ProvisioningRejected | Exclude<E, SqlError.SqlError>, R> =>
  Effect.forEach(
    entries,
    (entry, i) =>
      Effect.catchAll(
        write(entry, `${list}[${i}]`),
        (error): Effect.Effect<never, ProvisioningRejected | Exclude<E, SqlError.SqlError>> =>
          error instanceof SqlError.SqlError
            ? describe(`${list}[${i}]`, error)
            : Effect.fail(error as Exclude<E, SqlError.SqlError>)
      ),
    { discard: true }
  )

/** A write that must touch a row: the reference that it went by led nowhere otherwise. */
export const mustFind = <T, E, R>(path: string, rows: Effect.Effect<ReadonlyArray<T>, E, R>) =>
  Effect.flatMap(rows, ([row]) =>
    row === undefined ? reject(path, "refers to something that does not exist") : Effect.succeed(row)
  )
