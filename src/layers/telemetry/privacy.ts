/**
 * What may leave the house in a trace. Attributes pass by name; errors pass as their kind alone, because a message may
 * quote what a patient wrote. Addresses, headers, bodies and values of statements are on no list, so they stay.
 */
import { Cause, Chunk, Exit, Option, Predicate, Tracer } from "effect"

const ALLOWED = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "error.type",
  "db.system",
  "db.system.name",
  "db.namespace",
  "db.operation.name",
  "db.query.text",
  "messaging.system",
  "messaging.operation.name",
  "messaging.destination.name",
  "messaging.batch.message_count",
  "job.attempt",
  "sprechstunde.attempt"
])
const LONGEST = 2_000

const allowed = (value: unknown) =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value).slice(0, LONGEST)

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

const withoutMessage = (kind: string) => {
  const error = new Error(kind)
  error.name = kind
  error.stack = kind
  return error
}

const withoutMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)
    ? exit
    : Exit.die(withoutMessage([...new Set(errorsOf(exit.cause).map(kindOf))].join(", ")))

/** The same tracer, telling nothing but what the list allows. */
export const discreet = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: tracer.context,
    span: (...options) => {
      const span = tracer.span(...options)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      span.attribute = (key, value) => {
        if (ALLOWED.has(key)) attribute(key, allowed(value))
        // the router knows the pattern of the path only once the span is there: "GET" becomes "GET /v1/things/:uid"
        if (key === "http.route") Object.assign(span, { name: `${span.name} ${allowed(value)}` })
      }
      span.event = () => undefined
      span.end = (endTime, exit) => end(endTime, withoutMessages(exit))
      return span
    }
  })

/** The span that is under way, if any. */
export const spanOf = (span: Option.Option<Tracer.AnySpan>) =>
  Option.match(span, { onNone: () => ({}), onSome: ({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId }) })
