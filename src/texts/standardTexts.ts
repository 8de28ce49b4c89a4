import { catalogue } from "./catalogue.ts"
import type { Language } from "./language.ts"
import { noticeText } from "./notices.ts"

/** The standard texts of a kind of message, with their placeholders. */
export const standardTexts = (kind: Parameters<typeof noticeText>[0], language: Language) => {
  const { greeting, closing } = catalogue[language].messages
  const { subject, opening, sms } = noticeText(kind, language)
  return { subject, greeting, opening, closing, sms }
}
