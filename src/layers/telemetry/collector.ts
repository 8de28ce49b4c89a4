import { FetchHttpClient, HttpClient, HttpClientError } from "@effect/platform"
import { type Duration, Effect, Layer } from "effect"

const UNDER_WAY_AT_MOST = 4

/**
 * The way to the collector. It must never be in the service's way: a request ends after `timeout`, at most four are under
 * way, and whatever fails is not tried again (the exporter then keeps silent, and keeps nothing, for a minute).
 */
export const collectorClient = (timeout: Duration.DurationInput) =>
  Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => {
      let inFlight = 0
      return HttpClient.transform(client, (effect, request) => {
        // "Encode" is not a transient reason, so that no retry holds the batch in memory
        const given = () => new HttpClientError.RequestError({ request, reason: "Encode" })
        return Effect.suspend(() => {
          if (inFlight >= UNDER_WAY_AT_MOST) return Effect.fail(given())
          inFlight++
          return effect.pipe(
            Effect.filterOrFail(({ status }) => status < 300, given),
            Effect.timeoutFail({ duration: timeout, onTimeout: given }),
            Effect.mapError(given),
            Effect.ensuring(Effect.sync(() => inFlight--))
          )
        })
      })
    })
  ).pipe(Layer.provide(FetchHttpClient.layer))
