/** Sends webhooks over HTTP, only to the checked address; the response is read within limits, redirects are not followed. */
import type { IncomingMessage } from "node:http"
import { Clock, Effect, Layer } from "effect"
import type { AddressRefused } from "../../services/addresses.ts"
import { retryAfterSeconds } from "../../services/events/retries.ts"
import { type WebhookAnswer, type WebhookRequest, WebhookSender } from "../../services/events/WebhookSender.ts"
import { outgoing } from "../../services/outgoing.ts"
import { examineAddress, examined, type OutgoingSettings, type Unresolvable } from "../outgoing/addresses.ts"
import { exchange, Unanswered } from "../outgoing/exchange.ts"
import { makeFailureLog } from "../telemetry/failureLog.ts"

export interface WebhookSettings extends OutgoingSettings {
  /** Seconds of a delivery. Default 15. */
  readonly seconds?: number
}

const call = outgoing({
  to: "subscriber's address, for a webhook",
  seconds: 15,
  bytes: null,
  atOnce: 64,
  ofOwner: 16,
  ofAddress: 4
})

/** Bytes of a response body that are read and discarded. */
const BODY_MAX = 64 * 1024
const BODY_TIMEOUT_MILLIS = 1_000

export const layer = (settings: WebhookSettings) =>
  Layer.scoped(
    WebhookSender,
    Effect.map(makeFailureLog("Webhooks that receivers did not take"), (noteFailure) => {
      const deliver = send(settings)
      return WebhookSender.of({
        examine: examineAddress(settings),
        send: (request) =>
          Effect.tap(deliver(request), ({ status_code, error }) =>
            status_code === null || status_code >= 500 ? noteFailure(error ?? "unknown") : Effect.void
          )
      })
    })
  )

const send =
  (settings: WebhookSettings) =>
  ({ url, headers, body }: WebhookRequest): Effect.Effect<WebhookAnswer> =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      const outcome = yield* examined(url, settings).pipe(
        Effect.flatMap((to) => exchange<Outcome>(to, { method: "POST", headers, body }, settings.ca, read)),
        call(() => new Unanswered("timeout"), { address: url, seconds: settings.seconds }),
        Effect.catchAll((reason) => Effect.succeed(unanswered(reason)))
      )
      const ended = yield* Clock.currentTimeMillis
      const retry_after_seconds = retryAfterSeconds(outcome.retryAfter, ended)
      return { status_code: outcome.status, latency_ms: ended - started, error: outcome.error, retry_after_seconds }
    }).pipe(Effect.withSpan("WebhookSender.send", { kind: "client" }))

interface Outcome {
  readonly status: number | null
  readonly error: string | null
  readonly retryAfter: string | undefined
}

const unanswered = (reason: Unanswered | Unresolvable | AddressRefused): Outcome => ({
  status: null,
  error:
    reason._tag === "AddressRefused"
      ? reason.reason
      : reason._tag === "Unresolvable"
        ? `dns ${reason.code}`
        : reason.code,
  retryAfter: undefined
})

const read = (response: IncomingMessage, done: (outcome: Outcome) => void) => {
  const status = response.statusCode ?? 0
  const error = status >= 200 && status < 300 ? null : `status ${status}`
  drain(response, () => done({ status, error, retryAfter: response.headers["retry-after"] }))
}

/** Discards the body up to the limits, then releases the connection; only the status matters. */
const drain = (response: IncomingMessage, done: () => void) => {
  const timer = setTimeout(() => response.destroy(), BODY_TIMEOUT_MILLIS)
  let read = 0
  response.on("data", (chunk: Buffer) => {
    read += chunk.byteLength
    if (read > BODY_MAX) response.destroy()
  })
  response.on("error", done)
  response.on("close", () => {
    clearTimeout(timer)
    done()
  })
}
