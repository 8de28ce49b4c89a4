/** All texts that people read, by language. Each language is one file; `de.ts` decides which keys there are. */
import { de, type Texts } from "./de.ts"
import { en } from "./en.ts"
import { type Language, localeOf } from "./language.ts"
import type { PluralForms } from "./shape.ts"

export const catalogue: Readonly<Record<Language, Texts>> = { de, en }

/** Puts values into the places marked `{name}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** The form of a text for a number of things. */
export const plural = (language: Language, forms: PluralForms, count: number) =>
  fill(forms[new Intl.PluralRules(localeOf(language)).select(count)] ?? forms.other, { n: String(count) })
