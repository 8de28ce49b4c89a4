/** The port for sending webhooks: one POST to a subscriber's URL, and its outcome. */
import { Context, type Effect } from "effect"
import type { AddressRefused } from "../addresses.ts"

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The outcome of one attempt. Without a response `status_code` is null and `error` is the reason. */
export interface WebhookAnswer {
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
  /** The receiver's `retry-after`, in seconds from now. */
  readonly retry_after_seconds: number | null
}

export class WebhookSender extends Context.Tag("events/WebhookSender")<
  WebhookSender,
  {
    /** Whether the URL may be subscribed: http(s), and not in a private network unless allowed. */
    readonly examine: (url: string) => Effect.Effect<void, AddressRefused>
    /** One attempt; failures are outcomes. Redirects count as responses and are not followed. */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookAnswer>
  }
>() {}
