/** The port by which webhooks leave: one POST to an address that a subscriber named, and what came of it. */
import { Context, type Effect, Schema } from "effect"

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came of one attempt. Without a `status_code` nobody answered, and `error` says why. */
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
    /** One attempt; it never fails but tells what happened. Redirects count as answers and are not followed. */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookAnswer>
  }
>() {}
