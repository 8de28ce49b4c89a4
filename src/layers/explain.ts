/** Error messages of a failed start without stack traces, since most are configuration errors. */
import { Cause } from "effect"

export const explain = (cause: Cause.Cause<unknown>): string =>
  Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
