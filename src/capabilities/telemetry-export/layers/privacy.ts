/**
 * Redacts exported spans. Attributes are exported by an allow-list; errors only by kind, since a message may quote a patient.
 * URLs, headers, bodies and statement parameters are not on the list.
 */
import { Cause, Context, Exit, Option, Tracer } from "effect"
import { kindsOf } from "../../../services/errorKinds.ts"
import { ExportedWithResults, RESULT_COUNT } from "../../../services/traceparent.ts"
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
const VALUE_MAX_LENGTH = 2_000

const allowed = (value: unknown) =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value).slice(0, VALUE_MAX_LENGTH)

const withoutMessage = (kind: string) => Object.assign(new Error(kind), { name: kind, stack: kind })

const withoutMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause) ? exit : Exit.die(withoutMessage(kindsOf(exit.cause)))

const SQLSTATE = / ([0-9A-Z]{5})$/

/** Adds the kinds of a failure's errors and, for a statement, its SQLSTATE. */
const describeFailure = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>) => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return
  const kinds = kindsOf(exit.cause)
  span.attribute("error.type", kinds)
  const [, state] = SQLSTATE.exec(kinds) ?? []
  if (state !== undefined && span.attributes.has("db.system.name")) span.attribute("db.response.status_code", state)
}

/** Buffered spans of a trace that is exported only if its work found something. */
interface BufferedTrace {
  readonly ends: Array<() => void>
  /** Undefined until the first span of the trace has ended. */
  kept: boolean | undefined
}
/** A trace with more spans is exported. */
const BUFFERED_MAX = 500

/** Ends a span now, or buffers its end until the trace is kept or dropped. Background spans may end after the first one. */
const endOrBuffer = (buffered: BufferedTrace, span: Tracer.Span, isFirst: boolean, end: () => void) => {
  if (buffered.kept === undefined && !isFirst && buffered.ends.length < BUFFERED_MAX)
    return void buffered.ends.push(end)
  buffered.kept ??= !isFirst || span.attributes.get(RESULT_COUNT) !== 0
  if (!buffered.kept) return
  for (const earlier of buffered.ends.splice(0)) earlier()
  end()
}

/** Names a statement's span by its summary; Effect's client names it by its own method. */
const nameStatement = (span: Tracer.Span, text: string, attribute: Tracer.Span["attribute"]) => {
  const { operation, collection, summary } = querySummary(text)
  Object.assign(span, { name: summary })
  attribute("db.system.name", "postgresql")
  attribute("db.operation.name", operation)
  if (collection !== undefined) attribute("db.collection.name", collection)
  attribute("db.query.summary", summary)
}

/** Wraps a tracer so that only allowed data is exported. */
export const redactingTracer = (tracer: Tracer.Tracer): Tracer.Tracer => {
  const bufferOf = new WeakMap<Tracer.AnySpan, BufferedTrace>()
  return Tracer.make({
    context: tracer.context,
    span: (name, parent, context, ...options) => {
      const span = tracer.span(name === "sql.transaction" ? "transaction" : name, parent, context, ...options)
      const isFirst = Context.get(context, ExportedWithResults)
      const buffered = isFirst
        ? { ends: [], kept: undefined }
        : Option.getOrUndefined(Option.flatMapNullable(parent, (one) => bufferOf.get(one)))
      if (buffered !== undefined) bufferOf.set(span, buffered)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      span.attribute = (key, value) => {
        if (key === "db.operation.name") return // the name of the client's method
        if (ALLOWED.has(key)) attribute(key, allowed(value))
        if (key === "db.query.text") nameStatement(span, String(value), attribute)
        // The route is known only after the span has started: "GET" becomes "GET /v1/things/:uid"
        if (key === "http.route") Object.assign(span, { name: `${span.name} ${allowed(value)}` })
      }
      span.event = () => undefined
      span.end = (endTime, exit) => {
        describeFailure(span, exit)
        const ended = () => end(endTime, withoutMessages(exit))
        if (buffered === undefined) ended()
        else endOrBuffer(buffered, span, isFirst, ended)
      }
      return span
    }
  })
}
