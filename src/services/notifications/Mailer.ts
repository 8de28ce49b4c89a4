/** The port for sending mail: SMTP, or a folder if none is configured. */
import { Context, type Effect, Schema } from "effect"

/** A calendar invitation or its cancellation (iCalendar, RFC 5545, method per RFC 5546). */
export interface Invite {
  readonly method: "REQUEST" | "CANCEL" | "PUBLISH"
  readonly content: string
}

export interface Mail {
  /** Unique for this mail and the same on every attempt, so that a mail server can detect a duplicate. */
  readonly message_id: string
  /** The sender's name, beside the installation's address. */
  readonly from_name?: string
  /** Reply-To address; replies go to the sender if omitted. */
  readonly reply_to?: string
  /** An inline picture for the HTML. */
  readonly picture?: { readonly cid: string; readonly content_type: string; readonly bytes: Uint8Array }
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly invite?: Invite
}

/** Permanent failure: the address does not exist, or the server rejects the mail. Do not retry. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { reason: Schema.String }) {
  override get message() {
    return `mail refused: ${this.reason}`
  }
}

/** Temporary failure: no connection, a busy server, greylisting. Retry later. */
export class MailDelayed extends Schema.TaggedError<MailDelayed>()("MailDelayed", { reason: Schema.String }) {
  override get message() {
    return `mail delayed: ${this.reason}`
  }
}

export class Mailer extends Context.Tag("notifications/Mailer")<
  Mailer,
  {
    /** The sender's plain address, the organiser of calendar invitations. */
    readonly from: { readonly name: string; readonly address: string }
    readonly send: (mail: Mail) => Effect.Effect<void, MailRefused | MailDelayed>
  }
>() {}
