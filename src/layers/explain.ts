/** What went wrong, in a sentence for whoever started it: most such failures are settings, and no stack trace helps there. */
import { Cause } from "effect"

export const explain = (cause: Cause.Cause<unknown>): string =>
  Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
