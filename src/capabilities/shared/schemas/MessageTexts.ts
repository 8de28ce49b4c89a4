/** All own texts of an organisation's messages (Rule 6.7.9). */
import { Schema } from "effect"
import { listOf } from "../../../schemas/fields.ts"
import { MessageText, messageLanguages } from "../../../schemas/notifications/MessageText.ts"

/** More than there are kinds of messages. */
const KINDS_MAX = 40

const isSame = (one: MessageText) => (other: MessageText) => other.kind === one.kind && other.language === one.language

export const MessageTexts = listOf(MessageText, {
  max: KINDS_MAX * messageLanguages.length,
  description:
    "Own texts of messages to patients, at most one entry for each kind and language; none: the standard texts",
  example: []
}).pipe(
  Schema.filter((texts) => {
    const at = texts.findIndex((one, index) => texts.findIndex(isSame(one)) < index)
    return at === -1 ? true : { path: [at, "kind"], message: "has its texts in this language already" }
  })
)
