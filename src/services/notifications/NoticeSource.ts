/** The notifications domain's port to messages about other records than appointments, implemented by their domains. */
import { Context, type Effect, type Option } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { Invite } from "./Mailer.ts"
import type { MailContent } from "./MailTemplate.ts"
import type { Addressee } from "./Recipients.ts"

/** A message in the recipient's language. */
export interface RecordNotice
  extends Pick<MailContent, "subject" | "greeting" | "opening" | "facts" | "links" | "hint"> {
  /** The same as a text message. */
  readonly sms: string
  readonly invite?: Invite
}

export interface RecordMessage {
  readonly organisation_uid: OrganisationUid
  readonly kind: RecordNoticeKind
  /** Identifies the record. */
  readonly subject_uid: string
}

export class NoticeSource extends Context.Tag("notifications/NoticeSource")<
  NoticeSource,
  {
    /** None if the message is no longer needed. Called once for each attempt; may issue codes. */
    readonly find: (
      message: RecordMessage,
      recipient: Addressee
    ) => Effect.Effect<Option.Option<RecordNotice>, never, CurrentTenant>
  }
>() {}
