/** A trace's way through what is stored: a job or an event keeps the W3C `traceparent` of whoever made it. */
import { Headers, HttpTraceContext } from "@effect/platform"
import { Effect, Option, type Tracer } from "effect"

/** `traceparent` of the current span; undefined without one that is sampled. */
export const currentTraceparent = Effect.currentSpan.pipe(
  Effect.map((span) => (span.sampled ? HttpTraceContext.toHeaders(span).traceparent : undefined)),
  Effect.orElseSucceed(() => undefined)
)

/** Options of a span that continues a stored trace, or begins one of its own where none is stored. */
export const continuing = (traceparent: string | null | undefined): { readonly parent?: Tracer.ExternalSpan } =>
  Option.match(HttpTraceContext.w3c(Headers.fromInput({ traceparent: traceparent ?? undefined })), {
    onNone: () => ({}),
    onSome: (parent) => ({ parent })
  })
