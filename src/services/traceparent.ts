/**
 * A trace's way through what is stored: a job or an event keeps the W3C `traceparent` of whoever made it, whether or not
 * it is sampled, since logs and the audit log name its trace as well.
 */
import { Headers, HttpTraceContext } from "@effect/platform"
import { Context, Effect, FiberRef, Option, Tracer } from "effect"
import { untraced } from "./untraced.ts"

/** Effect's placeholder where tracing is off. */
const isPlaceholder = ({ traceId }: Tracer.AnySpan) => traceId === "noop"

/** The nearest span that has a trace: the given one, or one around it. */
export const traceOf = (span: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> =>
  Option.flatMap(span, (one) =>
    isPlaceholder(one) ? (one._tag === "Span" ? traceOf(one.parent) : Option.none()) : Option.some(one)
  )

const current = Effect.map(Effect.context<never>(), (context) => traceOf(Context.getOption(context, Tracer.ParentSpan)))

const toTraceparent = ({ traceId, spanId, sampled }: Tracer.AnySpan) =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** `traceparent` of what is under way; undefined outside of every request and job. */
export const currentTraceparent = Effect.map(current, (span) => Option.getOrUndefined(Option.map(span, toTraceparent)))

/** Id of the trace that is under way; empty outside of every request and job. */
export const currentTraceId = Effect.map(current, (span) =>
  Option.match(span, { onNone: () => "", onSome: ({ traceId }) => traceId })
)

const parse = (traceparent: string | null | undefined) =>
  HttpTraceContext.w3c(Headers.fromInput({ traceparent: traceparent ?? undefined }))

/**
 * Runs the effect in a span that continues a stored trace, or begins one of its own where none is stored. A trace that is
 * not sampled keeps its id and makes no spans.
 */
export const inTrace =
  (
    name: string,
    traceparent: string | null | undefined,
    options: Pick<Tracer.SpanOptions, "kind" | "attributes" | "context">
  ) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentTracerEnabled), (enabled) => {
      const parent = parse(traceparent)
      const isSampled = enabled && Option.match(parent, { onNone: () => true, onSome: ({ sampled }) => sampled })
      if (!isSampled)
        return self.pipe(
          Effect.provideService(Tracer.ParentSpan, untraced(name, parent)),
          Effect.withTracerEnabled(false)
        )
      const within = Option.match(parent, { onNone: () => ({ root: true }), onSome: (span) => ({ parent: span }) })
      return Effect.withSpan(self, name, { captureStackTrace: false, ...options, ...within })
    })

/** On a span's context: its trace is exported only when its work found something, by `annotateResultCount`. */
export class ExportedWithResults extends Context.Reference<ExportedWithResults>()("services/ExportedWithResults", {
  defaultValue: () => false
}) {}

/** What the span's work found, as an attribute; a trace that is exported `ExportedWithResults` is dropped at 0. */
export const RESULT_COUNT = "sprechstunde.found"
export const annotateResultCount = (count: number) => Effect.annotateCurrentSpan(RESULT_COUNT, count)
