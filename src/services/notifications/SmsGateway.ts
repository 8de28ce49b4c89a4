/** The port for sending text messages: an HTTP gateway, or a folder if none is configured. */
import { Context, type Effect, Schema } from "effect"

export interface Sms {
  /** Unique for this text message. */
  readonly message_id: string
  readonly to: string
  readonly text: string
}

/** Permanent failure, e.g. an invalid number. Do not retry. */
export class SmsRefused extends Schema.TaggedError<SmsRefused>()("SmsRefused", { reason: Schema.String }) {
  override get message() {
    return `SMS refused: ${this.reason}`
  }
}

/** Temporary failure. Retry later. */
export class SmsDelayed extends Schema.TaggedError<SmsDelayed>()("SmsDelayed", { reason: Schema.String }) {
  override get message() {
    return `SMS delayed: ${this.reason}`
  }
}

export class SmsGateway extends Context.Tag("notifications/SmsGateway")<
  SmsGateway,
  { readonly send: (sms: Sms) => Effect.Effect<void, SmsRefused | SmsDelayed> }
>() {}
