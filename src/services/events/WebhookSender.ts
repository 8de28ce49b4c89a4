/** The port by which webhooks are sent: one POST to a subscriber's address, and its outcome. */
import { Context, type Effect, Schema } from "effect"

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The outcome of one attempt. Without an answer `status_code` is null and `error` is the reason. */
export interface WebhookAnswer {
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
  /** What the receiver asked for by `retry-after`, in seconds from now. */
  readonly retry_after_seconds: number | null
}

/** The address is none that webhooks may go to. */
export class AddressRefused extends Schema.TaggedError<AddressRefused>()("AddressRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

export class WebhookSender extends Context.Tag("events/WebhookSender")<
  WebhookSender,
  {
    /** Whether the address may be subscribed: http(s), and not into a private network unless that is allowed. */
    readonly examine: (url: string) => Effect.Effect<void, AddressRefused>
    /** One attempt; failures are outcomes. Redirects count as answers and are not followed. */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookAnswer>
  }
>() {}
