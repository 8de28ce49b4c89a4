/** The port by which text messages are sent: an HTTP gateway, or a folder when none is configured. */
import { Context, type Effect, Schema } from "effect"

export interface Sms {
  /** Unique for this text message. */
  readonly message_id: string
  readonly to: string
  readonly text: string
}

/** The gateway refuses this message for good, e.g. the number is none. Do not try again. */
export class SmsRefused extends Schema.TaggedError<SmsRefused>()("SmsRefused", { reason: Schema.String }) {
  override get message() {
    return `SMS refused: ${this.reason}`
  }
}

/** The gateway could not take it now. Try again later. */
export class SmsDelayed extends Schema.TaggedError<SmsDelayed>()("SmsDelayed", { reason: Schema.String }) {
  override get message() {
    return `SMS delayed: ${this.reason}`
  }
}

export class SmsGateway extends Context.Tag("notifications/SmsGateway")<
  SmsGateway,
  { readonly send: (sms: Sms) => Effect.Effect<void, SmsRefused | SmsDelayed> }
>() {}
