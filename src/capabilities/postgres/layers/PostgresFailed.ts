import { Data } from "effect"

/** The embedded database could not be started; `message` says what to do about it. */
export class PostgresFailed extends Data.TaggedError("PostgresFailed")<{ readonly message: string }> {}
