import type { AskedConsent } from "../../pages/views/consents.tsx"
import type { ConsentText } from "../../schemas/patients/Consent.ts"
import { type Language, languageAmong } from "../../texts/language.ts"

/** The text in the reader's language, otherwise the first one (Rule 12.5.1). */
export const askedConsent = (language: Language, { purpose, version, required, texts }: ConsentText): AskedConsent => {
  const written = languageAmong(
    texts.map((one) => one.language),
    language
  )
  return { purpose, version, required, text: (texts.find((one) => one.language === written) ?? texts[0])?.text ?? "" }
}
