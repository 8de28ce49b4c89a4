import type { AskedConsent } from "../../pages/views/consents.tsx"
import type { ConsentText } from "../../schemas/patients/Consent.ts"
import { type Language, languageOfTag } from "../../texts/language.ts"

/** The text in the reader's language; the first one is for every other (Rule 12.5.1). */
export const askedConsent = (language: Language, { purpose, version, required, texts }: ConsentText): AskedConsent => ({
  purpose,
  version,
  required,
  text: (texts.find((one) => languageOfTag(one.language) === language) ?? texts[0])?.text ?? ""
})
