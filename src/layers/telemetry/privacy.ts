/**
 * What may leave the house in a trace. Attributes pass by name; errors pass as their kind alone, because a message may
 * quote what a patient wrote. Addresses, headers, bodies and values of statements are on no list, so they stay.
 */
import { Cause, Context, Exit, Option, Tracer } from "effect"
import { kindsOf } from "../../services/errorKinds.ts"
import { ExportedWithResults, RESULT_COUNT, traceOf } from "../../services/traceparent.ts"
import { querySummary } from "./querySummary.ts"

const ALLOWED = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "error.type",
  "db.system",
  "db.system.name",
  "db.namespace",
  "db.operation.name",
  "db.collection.name",
  "db.query.summary",
  "db.query.text",
  "db.response.status_code",
  "messaging.system",
  "messaging.operation.name",
  "messaging.destination.name",
  "messaging.batch.message_count",
  "job.attempt",
  RESULT_COUNT,
  "sprechstunde.attempt"
])
const LONGEST = 2_000

const allowed = (value: unknown) =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value).slice(0, LONGEST)

const withoutMessage = (kind: string) => {
  const error = new Error(kind)
  error.name = kind
  error.stack = kind
  return error
}

const withoutMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause) ? exit : Exit.die(withoutMessage(kindsOf(exit.cause)))

const SQLSTATE = / ([0-9A-Z]{5})$/

/** The kinds of a failure's errors and, of a statement, its SQLSTATE. */
const describeFailure = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>) => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return
  const kinds = kindsOf(exit.cause)
  span.attribute("error.type", kinds)
  const [, state] = SQLSTATE.exec(kinds) ?? []
  if (state !== undefined && span.attributes.has("db.system.name")) span.attribute("db.response.status_code", state)
}

/** Spans of a trace that is exported only when its work found something. */
interface Held {
  readonly ends: Array<() => void>
  /** Undefined until the first span of the trace has ended. */
  kept: boolean | undefined
}
/** A trace of so many spans has found something. */
const HELD_MAX = 500

/** Work that is given so much to do is traced; what it starts in the background may end after it. */
const holding = (held: Held, span: Tracer.Span, isFirst: boolean, end: () => void) => {
  if (held.kept === undefined && !isFirst && held.ends.length < HELD_MAX) return void held.ends.push(end)
  held.kept ??= !isFirst || span.attributes.get(RESULT_COUNT) !== 0
  if (!held.kept) return
  for (const earlier of held.ends.splice(0)) earlier()
  end()
}

/** Effect's client names its spans for its own methods; here they are named for what the statement does. */
const nameStatement = (span: Tracer.Span, text: string, attribute: Tracer.Span["attribute"]) => {
  const { operation, collection, summary } = querySummary(text)
  Object.assign(span, { name: summary })
  attribute("db.system.name", "postgresql")
  attribute("db.operation.name", operation)
  if (collection !== undefined) attribute("db.collection.name", collection)
  attribute("db.query.summary", summary)
}

/** The same tracer, telling nothing but what the list allows. */
export const redactingTracer = (tracer: Tracer.Tracer): Tracer.Tracer => {
  const heldBy = new WeakMap<Tracer.AnySpan, Held>()
  return Tracer.make({
    context: tracer.context,
    span: (name, parent, context, ...options) => {
      const span = tracer.span(name === "sql.transaction" ? "transaction" : name, parent, context, ...options)
      const isFirst = Context.get(context, ExportedWithResults)
      const held = isFirst
        ? { ends: [], kept: undefined }
        : Option.getOrUndefined(Option.flatMapNullable(parent, (one) => heldBy.get(one)))
      if (held !== undefined) heldBy.set(span, held)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      span.attribute = (key, value) => {
        if (key === "db.operation.name") return // the client's method
        if (ALLOWED.has(key)) attribute(key, allowed(value))
        if (key === "db.query.text") nameStatement(span, String(value), attribute)
        // the router knows the pattern of the path only once the span is there: "GET" becomes "GET /v1/things/:uid"
        if (key === "http.route") Object.assign(span, { name: `${span.name} ${allowed(value)}` })
      }
      span.event = () => undefined
      span.end = (endTime, exit) => {
        describeFailure(span, exit)
        const ended = () => end(endTime, withoutMessages(exit))
        if (held === undefined) ended()
        else holding(held, span, isFirst, ended)
      }
      return span
    }
  })
}

/** The trace that is under way, if any. */
export const spanOf = (span: Option.Option<Tracer.AnySpan>) =>
  Option.match(traceOf(span), {
    onNone: () => ({}),
    onSome: ({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId })
  })
