import { Context, type Effect } from "effect"
import type { MessageUid } from "../../schemas/ids.ts"

/**
 * The installation's own copies of sent messages: files of the outbox folder, which replaces a mail server and an SMS gateway in trials.
 * Does not cover messages accepted by real ones.
 */
export class SentCopies extends Context.Tag("notifications/SentCopies")<
  SentCopies,
  { readonly forget: (messages: ReadonlyArray<MessageUid>) => Effect.Effect<void> }
>() {}
