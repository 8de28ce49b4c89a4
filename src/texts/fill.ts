import { type Language, localeOf } from "./language.ts"
import type { PluralForms } from "./shape.ts"

/** Puts values into the places marked `{name}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** The form of a text for a number of things. */
export const plural = (language: Language, forms: PluralForms, count: number) =>
  fill(forms[new Intl.PluralRules(localeOf(language)).select(count)] ?? forms.other, { n: String(count) })
