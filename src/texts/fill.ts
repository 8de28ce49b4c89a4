import { type Language, localeOf } from "./language.ts"
import type { PluralForms } from "./shape.ts"

/**
 * A name in other letters keeps its own direction in a text that runs from right to left, its full stops and brackets too
 * (Unicode's isolates). Addresses stay as they are: they are copied.
 */
const isolated = (value: string) =>
  /\p{Script=Latin}/u.test(value) && !/^https?:/.test(value) ? `\u2068${value}\u2069` : value

/** Puts values into the places marked `{name}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>) => {
  const isRightToLeft = /\p{Script=Arabic}/u.test(text)
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? place : isRightToLeft ? isolated(value) : value
  })
}

/** The form of a text for a number of things. */
export const plural = (language: Language, forms: PluralForms, count: number) =>
  fill(forms[new Intl.PluralRules(localeOf(language)).select(count)] ?? forms.other, { n: String(count) })
