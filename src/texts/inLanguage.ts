import { languageAmong } from "./language.ts"

/** The texts of a record in another language; null: not translated. */
interface Translation {
  readonly language: string
  readonly [field: string]: string | null
}

/** The record with its texts in a reader's language, each as far as it is translated. Rule 7.3.4. */
export const inLanguage = <T extends { readonly translations: ReadonlyArray<Translation> }>(
  record: T,
  language: string
): T => {
  const tags = record.translations.map((one) => one.language)
  const tag = languageAmong(tags, language)
  const own = Object.entries(record.translations.find((one) => one.language === tag) ?? {})
  return {
    ...record,
    ...Object.fromEntries(own.filter(([field, text]) => Object.hasOwn(record, field) && text !== null))
  }
}
