import { FetchHttpClient, HttpClient, HttpClientError } from "@effect/platform"
import { Effect, Layer } from "effect"
import { outgoing } from "../../../services/outgoing.ts"

const call = outgoing({
  to: "telemetry collector (OTEL_EXPORTER_OTLP_TIMEOUT)",
  seconds: 2,
  bytes: 65_536,
  atOnce: 4,
  ofOwner: 4,
  waiting: 0
})

/**
 * The HTTP client for the collector. So that exports never slow the service down, requests have a time-out, at most four are
 * in flight, and failures are not retried (the exporter then drops data for a minute).
 */
export const collectorClient = (seconds: number) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) =>
      HttpClient.transform(client, (effect, request) => {
        // "Encode" is not transient, so the exporter does not retry, which would hold the batch in memory
        const failure = () => new HttpClientError.RequestError({ request, reason: "Encode" })
        return effect.pipe(
          Effect.filterOrFail(({ status }) => status < 300, failure),
          Effect.mapError(failure),
          call(failure, { seconds })
        )
      })
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))
