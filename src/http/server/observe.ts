/** Telemetry of every request: one span, three metrics and the count of requests in flight. */
import { HttpApp, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "@effect/platform"
import { Context, Effect, Exit, FiberRef, Metric, MetricLabel, Option, Tracer } from "effect"
import { httpDuration, httpInFlight, httpRequests } from "../../services/metrics.ts"
import type { TrafficState } from "../../services/operation/Traffic.ts"
import { addNoTenant } from "../../services/tenancy/Tenancy.ts"
import { untraced } from "../../services/untraced.ts"

interface Meters {
  readonly count: typeof httpRequests
  readonly time: typeof httpDuration
}

const meters = new Map<string, Meters>()

/** Memoised per combination; methods, routes and statuses have a low cardinality. */
const metersOf = (method: string, route: string, status: number): Meters => {
  const key = `${method} ${route} ${status}`
  const known = meters.get(key)
  if (known !== undefined) return known
  const labels = [MetricLabel.make("method", method), MetricLabel.make("route", route)]
  const made = {
    count: Metric.taggedWithLabels(httpRequests, [...labels, MetricLabel.make("status", String(status))]),
    time: Metric.taggedWithLabels(httpDuration, labels)
  }
  meters.set(key, made)
  return made
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
const CLIENT_CLOSED_REQUEST = 499

const statusOf = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) =>
  Exit.match(exit, { onSuccess: ({ status }) => status, onFailure: () => CLIENT_CLOSED_REQUEST })

/** Samples by our own ratio: a caller can exclude a request from sampling but not force it in. */
const isSampled = (parent: Option.Option<Tracer.ExternalSpan>, ratio: number) =>
  Option.match(parent, { onNone: () => true, onSome: ({ sampled }) => sampled }) &&
  (ratio >= 1 || Math.random() < ratio)

/** Routes polled by monitoring are not traced. */
const PROBES = /^\/(healthz|readyz|metrics|version)(\?|$)/

/** A middleware sees a response only after it was sent, so the header is set by a pre-response handler. */
const closesConnection = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)

/**
 * Counts, times and traces a request. The span is named by method and route. URLs are not recorded, since codes in them are
 * credentials. A request that is not sampled still has a trace id for its error body.
 */
export const observed =
  (traffic: TrafficState, ratio: number) =>
  <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
      const method = METHODS.has(request.method) ? request.method : "other"
      // The caller's span; a `traceparent` that is not W3C Trace Context is ignored
      const parent = HttpTraceContext.w3c(request.headers)
      const isEnabled = fiber.getFiberRef(FiberRef.currentTracerEnabled)
      const traced = isEnabled && isSampled(parent, ratio) && !PROBES.test(request.url)
      const start = performance.now()
      traffic.inFlight++
      httpInFlight.unsafeUpdate(traffic.inFlight, [])
      const finish = (span: Tracer.Span, exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) => {
        const status = statusOf(exit)
        const route = span.attributes.get("http.route")
        const { count, time } = metersOf(method, typeof route === "string" ? route : "none", status)
        count.unsafeUpdate(1, [])
        time.unsafeUpdate((performance.now() - start) / 1000, [])
        traffic.inFlight--
        httpInFlight.unsafeUpdate(traffic.inFlight, [])
        span.attribute("http.request.method", method)
        span.attribute("http.response.status_code", status)
      }
      const answered = traffic.phase !== "open" ? Effect.zipRight(closesConnection, app) : app
      const within = (span: Tracer.Span) =>
        answered.pipe(
          Effect.mapInputContext((context: Context.Context<R | HttpServerRequest.HttpServerRequest>) =>
            addNoTenant(Context.add(context, Tracer.ParentSpan, span))
          ),
          Effect.onExit((exit) => Effect.sync(() => finish(span, exit)))
        )
      if (!isEnabled) return within(untraced(method, parent))
      if (!traced) return Effect.withTracerEnabled(within(untraced(method, parent)), false)
      const kind = { kind: "server", captureStackTrace: false } as const
      return Option.match(parent, {
        onNone: () => Effect.useSpan(method, { ...kind, root: true }, within),
        onSome: (known) => Effect.useSpan(method, { ...kind, parent: known }, within)
      })
    })
