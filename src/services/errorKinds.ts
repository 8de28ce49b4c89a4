/** What may be reported of an error outside of the process and its sealed columns: a message may quote what a patient wrote. */
import { Cause, Chunk, Predicate } from "effect"

/** The kind of an error: its tag or class, and PostgreSQL's code where it has one. Never its message. */
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

/** The kinds of all errors within a cause, each once. */
export const kindsOf = (cause: Cause.Cause<unknown>) => [...new Set(errorsOf(cause).map(kindOf))].join(", ")
