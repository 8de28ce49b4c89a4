/** What is seen of every request: one span, three metrics, and that it is still under way. */
import { HttpApp, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "@effect/platform"
import { Context, Effect, Exit, FiberRef, Metric, MetricLabel, Option, Tracer } from "effect"
import { httpDuration, httpInFlight, httpRequests } from "../../services/metrics.ts"
import type { TrafficState } from "../../services/operation/Traffic.ts"
import { withoutOwner } from "../../services/tenancy/Tenancy.ts"
import { untraced } from "../../services/untraced.ts"

interface Meters {
  readonly count: typeof httpRequests
  readonly time: typeof httpDuration
}

const meters = new Map<string, Meters>()

/** Made once for each combination: methods, routes and statuses are few. */
const metersOf = (method: string, route: string, status: number): Meters => {
  const key = `${method} ${route} ${status}`
  const known = meters.get(key)
  if (known !== undefined) return known
  const place = [MetricLabel.make("method", method), MetricLabel.make("route", route)]
  const made = {
    count: Metric.taggedWithLabels(httpRequests, [...place, MetricLabel.make("status", String(status))]),
    time: Metric.taggedWithLabels(httpDuration, place)
  }
  meters.set(key, made)
  return made
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
const CLIENT_CLOSED_REQUEST = 499

const statusOf = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) =>
  Exit.match(exit, { onSuccess: ({ status }) => status, onFailure: () => CLIENT_CLOSED_REQUEST })

/** The caller's span by the header `traceparent`; a value of another form than W3C's is ignored. */
const callersSpan = (request: HttpServerRequest.HttpServerRequest) => HttpTraceContext.w3c(request.headers)

/** By our own ratio: a caller may leave a request out of the traces, and cannot force one into them. */
const isSampled = (parent: Option.Option<Tracer.ExternalSpan>, ratio: number) =>
  Option.match(parent, { onNone: () => true, onSome: ({ sampled }) => sampled }) &&
  (ratio >= 1 || Math.random() < ratio)

/** What monitoring asks every few seconds is not traced. */
const PROBES = /^\/(healthz|readyz|metrics|version)(\?|$)/

/** By the time a middleware sees an answer it has been sent; this is asked before. */
const closesConnection = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)

/**
 * Counts, times and traces a request. The span is named by method and route: codes in an address are credentials, so no
 * address is recorded. Outside a sample the request still has a trace's number, which its error body can name.
 */
export const observed =
  (traffic: TrafficState, ratio: number) =>
  <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
      const method = METHODS.has(request.method) ? request.method : "other"
      const parent = callersSpan(request)
      const traced =
        fiber.getFiberRef(FiberRef.currentTracerEnabled) && isSampled(parent, ratio) && !PROBES.test(request.url)
      const start = performance.now()
      traffic.underWay++
      httpInFlight.unsafeUpdate(traffic.underWay, [])
      const finish = (span: Tracer.Span, exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) => {
        const status = statusOf(exit)
        const route = span.attributes.get("http.route")
        const { count, time } = metersOf(method, typeof route === "string" ? route : "none", status)
        count.unsafeUpdate(1, [])
        time.unsafeUpdate((performance.now() - start) / 1000, [])
        traffic.underWay--
        httpInFlight.unsafeUpdate(traffic.underWay, [])
        span.attribute("http.request.method", method)
        span.attribute("http.response.status_code", status)
      }
      const answered = withoutOwner(traffic.phase !== "open" ? Effect.zipRight(closesConnection, app) : app)
      const within = (span: Tracer.Span) =>
        answered.pipe(
          Effect.provideService(Tracer.ParentSpan, span),
          Effect.onExit((exit) => Effect.sync(() => finish(span, exit)))
        )
      if (!traced) return Effect.withTracerEnabled(within(untraced(method, parent)), false)
      const kind = { kind: "server", captureStackTrace: false } as const
      return Option.match(parent, {
        onNone: () => Effect.useSpan(method, { ...kind, root: true }, within),
        onSome: (known) => Effect.useSpan(method, { ...kind, parent: known }, within)
      })
    })
