import { Context, type Effect } from "effect"
import type { MessageUid } from "../../schemas/ids.ts"

/**
 * What this installation itself keeps of messages that it has sent: the files of the outbox folder, which stands in for a mail
 * server and an SMS gateway where things are tried out. What real ones have taken is not here.
 */
export class SentCopies extends Context.Tag("notifications/SentCopies")<
  SentCopies,
  { readonly forget: (messages: ReadonlyArray<MessageUid>) => Effect.Effect<void> }
>() {}
