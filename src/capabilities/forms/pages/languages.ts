/** The languages of a form's texts, on the pages of staff. */
import { type Language, languages } from "../../../texts/language.ts"
import type { FormText } from "../schemas/Form.ts"

/** Tags of the languages that pages are written in; American English has no texts of its own. */
export const tags: ReadonlyArray<string> = languages.filter((tag) => tag !== "en-US")
export const tagOf = (language: Language) => language.slice(0, 2)

/** A text by its languages: one without any is in the page's. */
export const textsBy = (text: FormText, language: Language): Readonly<Record<string, string>> =>
  typeof text === "string" ? { [tagOf(language)]: text } : text

export const nameOfTag = (tag: string) =>
  new Intl.DisplayNames(tag, { type: "language", fallback: "code" }).of(tag) ?? tag

/** A field's label, with the language where there are several. */
export const labelIn = (all: ReadonlyArray<string>) => (label: string, tag: string) =>
  all.length < 2 ? label : `${label} (${nameOfTag(tag)})`
