/** The port by which mails are sent: SMTP, or a folder when none is configured. */
import { Context, type Effect, Schema } from "effect"

/** A calendar invitation or its withdrawal (iCalendar, RFC 5545, method per RFC 5546). */
export interface Invite {
  readonly method: "REQUEST" | "CANCEL"
  readonly content: string
}

export interface Mail {
  /** Unique for this mail and the same on every attempt, so that a mail server can recognise a repetition. */
  readonly message_id: string
  /** The sender's name, beside the installation's address. */
  readonly from_name?: string
  /** Where answers go; to the sender without it. */
  readonly reply_to?: string
  /** A picture that the HTML refers to. */
  readonly picture?: { readonly cid: string; readonly content_type: string; readonly bytes: Uint8Array }
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly invite?: Invite
}

/** The mail will never be taken: the address does not exist, or the server refuses it for good. Do not try again. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { reason: Schema.String }) {
  override get message() {
    return `mail refused: ${this.reason}`
  }
}

/** The mail could not be handed over now: no connection, a busy server, greylisting. Try again later. */
export class MailDelayed extends Schema.TaggedError<MailDelayed>()("MailDelayed", { reason: Schema.String }) {
  override get message() {
    return `mail delayed: ${this.reason}`
  }
}

export class Mailer extends Context.Tag("notifications/Mailer")<
  Mailer,
  {
    /** The sender's bare address, the organiser of calendar invitations. */
    readonly from: { readonly name: string; readonly address: string }
    readonly send: (mail: Mail) => Effect.Effect<void, MailRefused | MailDelayed>
  }
>() {}
