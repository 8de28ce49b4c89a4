/** Error messages of a failed start without stack traces, since most are configuration errors. */
import { Cause } from "effect"

/** Of a statement that failed, the message says nothing, and its cause what the server answered. */
const reasonsOf = ({ message, cause }: Error): string =>
  cause instanceof Error && !message.includes(cause.message) ? `${message}: ${reasonsOf(cause)}` : message

export const explain = (cause: Cause.Cause<unknown>): string => Cause.prettyErrors(cause).map(reasonsOf).join("; ")
