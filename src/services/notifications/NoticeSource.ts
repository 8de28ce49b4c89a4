/** The notifications domain's port to messages about other records than appointments, implemented by their domains. */
import { Context, type Effect, type Option } from "effect"
import type { OrganisationUid } from "../../schemas/ids.ts"
import type { RecordNoticeKind } from "../../schemas/notifications/notices.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { Invite } from "./Mailer.ts"
import type { MailContent } from "./MailTemplate.ts"
import type { Addressee } from "./Recipients.ts"

/** What a message says in the recipient's language, beside its texts. */
export interface RecordNotice extends Pick<MailContent, "facts" | "links"> {
  /** Of the placeholders in its texts. */
  readonly values: Readonly<Record<string, string>>
  readonly invite?: Invite
}

/** Made-up facts of a message, for its preview. */
export interface SampleFacts {
  readonly doctor_display_name: string
  readonly appointment_type_name: string
  readonly start_date: number
  readonly end_date: number
  readonly timezone: string
  readonly url: string
}

export interface RecordMessage {
  readonly organisation_uid: OrganisationUid
  readonly kind: RecordNoticeKind
  /** Identifies the record. */
  readonly subject_uid: string
}

/** Writes the messages of one kind. */
export interface NoticeWriter {
  /** None if the message is no longer needed. Called once for each attempt; may issue codes. */
  readonly find: (
    message: RecordMessage,
    recipient: Addressee
  ) => Effect.Effect<Option.Option<RecordNotice>, never, CurrentTenant>
  /** A message about nothing that there is. */
  readonly sample: (facts: SampleFacts, recipient: Addressee) => RecordNotice
}

export class NoticeSource extends Context.Tag("notifications/NoticeSource")<
  NoticeSource,
  {
    readonly find: NoticeWriter["find"]
    readonly sample: (kind: RecordNoticeKind, facts: SampleFacts, recipient: Addressee) => Effect.Effect<RecordNotice>
  }
>() {}
