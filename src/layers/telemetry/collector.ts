import { FetchHttpClient, HttpClient, HttpClientError } from "@effect/platform"
import { type Duration, Effect, Layer } from "effect"

const IN_FLIGHT_MAX = 4

/**
 * The HTTP client for the collector. So that exports never slow the service down, requests have a `timeout`, at most four are
 * in flight, and failures are not retried (the exporter then drops data for a minute).
 */
export const collectorClient = (timeout: Duration.DurationInput) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let inFlight = 0
      return HttpClient.transform(client, (effect, request) => {
        // "Encode" is not transient, so the exporter does not retry, which would hold the batch in memory
        const failure = () => new HttpClientError.RequestError({ request, reason: "Encode" })
        return Effect.suspend(() => {
          if (inFlight >= IN_FLIGHT_MAX) return Effect.fail(failure())
          inFlight++
          return effect.pipe(
            Effect.filterOrFail(({ status }) => status < 300, failure),
            Effect.timeoutFail({ duration: timeout, onTimeout: failure }),
            Effect.mapError(failure),
            Effect.ensuring(Effect.sync(() => inFlight--))
          )
        })
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
