/**
 * Text messages through an HTTP gateway: POST `{to, text}` with a bearer token. `Idempotency-Key` is the message's uid, so that a gateway
 * that supports it sends a message once whose answer was lost.
 */
import { HttpBody, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import { SmsDelayed, SmsGateway, SmsRefused } from "../../services/notifications/SmsGateway.ts"
import { outgoing } from "../../services/outgoing.ts"

export interface HttpSmsSettings {
  readonly url: string
  readonly token?: Redacted.Redacted
}

const call = outgoing({ to: "SMS gateway", seconds: 15, bytes: null, atOnce: 16, ofOwner: 8 })

/** Client errors that may be temporary. */
const temporary = new Set([401, 403, 408, 425, 429])

export const layer = ({ url, token }: HttpSmsSettings) =>
  Layer.effect(
    SmsGateway,
    Effect.map(HttpClient.HttpClient, (client) => {
      const request = HttpClientRequest.post(url).pipe(
        token === undefined ? (plain) => plain : HttpClientRequest.bearerToken(Redacted.value(token))
      )
      return SmsGateway.of({
        send: ({ message_id, to, text }) =>
          request.pipe(
            HttpClientRequest.setHeader("idempotency-key", message_id),
            HttpClientRequest.setBody(HttpBody.unsafeJson({ to, text })),
            client.execute,
            Effect.flatMap(outcome),
            Effect.scoped,
            Effect.catchTags({
              RequestError: ({ reason }) => new SmsDelayed({ reason }),
              ResponseError: ({ reason }) => new SmsDelayed({ reason })
            }),
            call(() => new SmsDelayed({ reason: "no answer within 15 seconds" })),
            Effect.withSpan("SmsGateway.send", { kind: "client" })
          )
      })
    })
  )

const outcome = ({ status }: HttpClientResponse.HttpClientResponse): Effect.Effect<void, SmsRefused | SmsDelayed> => {
  if (status >= 200 && status < 300) return Effect.void
  const reason = `the gateway answered ${status}`
  const refused = status >= 400 && status < 500 && !temporary.has(status)
  return refused ? new SmsRefused({ reason }) : new SmsDelayed({ reason })
}
