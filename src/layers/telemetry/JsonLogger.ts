import { Cause, Context, FiberRef, FiberRefs, HashMap, Logger, Tracer } from "effect"
import { errorsOf, kindOf } from "../../services/errorKinds.ts"
import { spanOf } from "../../services/traceparent.ts"

type Plain = string | number | boolean

const isPlain = (value: unknown): value is Plain =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

const words = (message: unknown): string =>
  (Array.isArray(message) ? message : [message]).map((part) => (isPlain(part) ? String(part) : kindOf(part))).join(" ")

const framesOf = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error && error.stack !== undefined
    ? error.stack
        .split("\n")
        .filter((line) => /^\s+at /.test(line))
        .slice(0, 10)
        .map((line) => line.trim())
    : []

/**
 * One JSON object per line, with trace and span ids. Errors are logged by kind and stack frames, without messages, which may
 * quote a request.
 */
export const jsonLogger = Logger.map(
  Logger.make<unknown, Record<string, unknown>>(({ annotations, cause, context, date, logLevel, message }) => {
    const span = Context.getOption(FiberRefs.getOrDefault(context, FiberRef.currentContext), Tracer.ParentSpan)
    const errors = Cause.isEmpty(cause)
      ? {}
      : { errors: errorsOf(cause).map((error) => ({ kind: kindOf(error), at: framesOf(error) })) }
    const notes = [...HashMap.entries(annotations)].map(([key, value]) => [key, isPlain(value) ? value : kindOf(value)])
    return {
      timestamp: date.toISOString(),
      level: logLevel.label,
      message: words(message),
      ...Object.fromEntries(notes),
      ...spanOf(span),
      ...errors
    }
  }),
  (line) => JSON.stringify(line)
)
