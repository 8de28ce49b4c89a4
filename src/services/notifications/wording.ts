/** The texts of a message: the practice's own where it has some and the recipient is a patient, else the standard ones. */
import { type MessagePart, type MessageText, messagePartNames } from "../../schemas/notifications/MessageText.ts"
import type { NoticeKind } from "../../schemas/notifications/notices.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { standardTexts } from "../../texts/standardTexts.ts"
import type { Recipient } from "./AppointmentNotice.ts"

export type Wording = Readonly<Record<MessagePart, string>>

/** Without the name, and what joins it to the rest: "Hello {name}," is "Hello,". */
const withoutName = (text: string) => text.replace(/^\{name\}[\s,،]*|[\s,،]*\{name\}/g, "")

/** The texts of a message with the values of its placeholders. A recipient whose name is not known is greeted without one. */
export const wordingOf = (
  kind: NoticeKind,
  { role, language, display_name }: Pick<Recipient, "role" | "language" | "display_name">,
  { name, message_texts }: { readonly name: string; readonly message_texts: ReadonlyArray<MessageText> },
  values: Readonly<Record<string, string>>
): Wording => {
  const written = language === "en-US" ? "en" : language
  const own =
    role === "patient" ? message_texts.find((one) => one.kind === kind && one.language === written) : undefined
  const standard = standardTexts(kind, language)
  const all = { ...values, name: display_name, organisation: name }
  const isNamed = display_name !== ""
  const usual = isNamed ? standard : { ...standard, greeting: catalogue[language].messages.again.greeting }
  const textOf = (part: MessagePart) => own?.[part] ?? usual[part]
  const filled = messagePartNames.map(
    (part) => [part, fill(isNamed ? textOf(part) : withoutName(textOf(part)), all)] as const
  )
  return Object.fromEntries(filled) as Wording // of every part
}
