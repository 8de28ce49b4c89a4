/**
 * Keeps the bundle from reading its source map at each start: a third of the start's processor time and 30 MiB that it would hold. Bun
 * reads it for the first stack trace that is asked for, or that its collector has to keep; Effect asks for one while its modules are
 * evaluated, and makes an error for each of its tags. So errors have no stack traces until `restoreStackTraces`. The entry points
 * import this file first.
 */
import { IS_BUNDLED } from "./paths.ts"

const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit") ?? {}
// An accessor, since Effect sets the limit for errors of its own
if (IS_BUNDLED) Object.defineProperty(Error, "stackTraceLimit", { get: () => 0, set: () => {}, configurable: true })

/** Gives later errors stack traces of the default length. */
export const restoreStackTraces = () => {
  Object.defineProperty(Error, "stackTraceLimit", limit)
}
