/**
 * Trace propagation through the database: a job or an event stores the W3C `traceparent` of its cause, whether or not it is sampled,
 * since logs and the audit log contain its trace id too.
 */
import { Headers, HttpTraceContext } from "@effect/platform"
import { Context, Effect, FiberRef, Option, Tracer } from "effect"
import { untraced } from "./untraced.ts"

/** Effect's placeholder if tracing is disabled. */
const isPlaceholder = ({ traceId }: Tracer.AnySpan) => traceId === "noop"

/** The nearest span with a trace: the given one, or an ancestor. */
export const traceOf = (span: Option.Option<Tracer.AnySpan>): Option.Option<Tracer.AnySpan> =>
  Option.flatMap(span, (one) =>
    isPlaceholder(one) ? (one._tag === "Span" ? traceOf(one.parent) : Option.none()) : Option.some(one)
  )

const current = Effect.map(Effect.context<never>(), (context) => traceOf(Context.getOption(context, Tracer.ParentSpan)))

/** Ids of the current span, if there is one. */
export const spanOf = (span: Option.Option<Tracer.AnySpan>) =>
  Option.match(traceOf(span), {
    onNone: () => ({}),
    onSome: ({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId })
  })

const toTraceparent = ({ traceId, spanId, sampled }: Tracer.AnySpan) =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** `traceparent` of the current span; undefined outside of requests and jobs. */
export const currentTraceparent = Effect.map(current, (span) => Option.getOrUndefined(Option.map(span, toTraceparent)))

/** Id of the current trace; empty outside of requests and jobs. */
export const currentTraceId = Effect.map(current, (span) =>
  Option.match(span, { onNone: () => "", onSome: ({ traceId }) => traceId })
)

const parse = (traceparent: string | null | undefined) =>
  HttpTraceContext.w3c(Headers.fromInput({ traceparent: traceparent ?? undefined }))

/**
 * Runs the effect in a span that continues a stored trace, or starts a new one if there is none. An unsampled trace keeps its id and
 * creates no spans.
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

/** In a span's context: its trace is exported only if its work had results, reported by `annotateResultCount`. */
export class ExportedWithResults extends Context.Reference<ExportedWithResults>()("services/ExportedWithResults", {
  defaultValue: () => false
}) {}

/** Number of results of the span's work, as an attribute; a trace marked `ExportedWithResults` is dropped at 0. */
export const RESULT_COUNT = "sprechstunde.found"
export const annotateResultCount = (count: number) => Effect.annotateCurrentSpan(RESULT_COUNT, count)
