/** The parts of an error that may be reported outside of the process and its encrypted columns: messages may quote patients' data. */
import { Cause, Chunk, Predicate } from "effect"

/** The kind of an error: its tag or class, and PostgreSQL's code, if any. Never its message. */
export const kindOf = (error: unknown): string => {
  if (!Predicate.isRecord(error) && !(error instanceof Error)) return typeof error
  const name = Predicate.hasProperty(error, "_tag")
    ? String(error._tag)
    : error instanceof Error
      ? error.name
      : "object"
  const cause = Predicate.hasProperty(error, "cause") ? error.cause : undefined
  const code = Predicate.hasProperty(cause, "code")
    ? cause.code
    : Predicate.hasProperty(error, "code")
      ? error.code
      : ""
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? `${name} ${code}` : name
}

/** Every error within a cause, defects included. */
export const errorsOf = (cause: Cause.Cause<unknown>): ReadonlyArray<unknown> => [
  ...Chunk.toReadonlyArray(Cause.failures(cause)),
  ...Chunk.toReadonlyArray(Cause.defects(cause))
]

/** The distinct kinds of all errors within a cause. */
export const kindsOf = (cause: Cause.Cause<unknown>) => [...new Set(errorsOf(cause).map(kindOf))].join(", ")
