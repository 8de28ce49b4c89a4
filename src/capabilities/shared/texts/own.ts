/** Texts that belong to one capability, beside its code. */
import type { Language } from "../../../texts/language.ts"
import type { Shape } from "../../../texts/shape.ts"

/** Of pages that patients see: in every language; in `en-US` only what is written in another way than in `en`. */
export const pageTexts = <T>(
  texts: { readonly de: T; readonly "en-US"?: Partial<Shape<T>> } & Readonly<
    Record<"en" | "tr" | "ar" | "uk" | "ru", Shape<T>>
  >
) => {
  const all = { ...texts, "en-US": Object.assign({}, texts.en, texts["en-US"]) } as Readonly<Record<Language, Shape<T>>> // a text has its own shape
  return (language: Language) => all[language]
}

/** Of pages of staff: German and English; who reads another language gets English. */
export const deskTexts =
  <T>(texts: { readonly de: T; readonly en: Shape<T> }) =>
  (language: Language) =>
    (language === "de" ? texts.de : texts.en) as Shape<T> // a text has its own shape
