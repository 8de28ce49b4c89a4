/** What a caller says of a person, as patterns of the text by which patients are found. Rule 12.1.8. */
import { likePattern } from "../database/likePattern.ts"

/** Words of one search; further ones are left out, so that more is found and never less. */
const WORDS_MAX = 8

const months = ["jan", "feb", "m[aä]r", "apr", "ma[iy]", "jun", "jul", "aug", "sep", "o[ck]t", "nov", "de[cz]"]
const two = (text: string | number) => String(text).padStart(2, "0")

/** A date of birth as it is stored, in both centuries where only two digits of the year are said; none if it is no date. */
const datesOf = (year: string, month: string | number, day: string) => {
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return []
  return (year.length === 2 ? [`19${year}`, `20${year}`] : [year]).map((full) => `${full}-${two(month)}-${two(day)}`)
}

/** `5.3.80`, `05/03/1980`, `05031980`, `050380` or `1980-03-05`. */
const datesIn = (word: string): ReadonlyArray<string> => {
  const [, day = "", month = "", year = ""] =
    /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/.exec(word) ?? /^(\d\d)(\d\d)(\d{4}|\d\d)$/.exec(word) ?? []
  return day === "" ? [] : datesOf(year, month, day)
}

/** `5. März 1980`, written without spaces so that it is one word. */
const withNumericMonths = (text: string) =>
  months.reduce(
    (written, month, index) =>
      written.replace(
        new RegExp(`(\\d{1,2})\\.?\\s*${month}[a-zäé]*\\.?\\s*(\\d{4}|\\d\\d)(?!\\d)`, "giu"),
        (_, day, year) => ` ${day}.${index + 1}.${year} `
      ),
    text
  )

/** A telephone number in one word: without what stands between its digits, and without the prefixes of Germany and of calls. */
const withPlainNumbers = (text: string) =>
  text.replace(/(?<![\w@])(?:\+|\(?0)[\d ()/-]{4,30}\d(?!\w)/g, (number) =>
    datesIn(number.trim()).length > 0 ? number : ` ${number.replaceAll(/\D/g, "").replace(/^(0049|49|0)/, "")} `
  )

export interface SearchTerm {
  /** Patterns of which one must fit. */
  readonly patterns: ReadonlyArray<string>
  /** Patterns of the word with one letter wrong, missing, too many or swapped with the next; none for numbers and short words. */
  readonly misspelled: ReadonlyArray<string>
}

const misspellingsOf = (word: string) =>
  [...word].flatMap((_, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)]
    return [
      `${before}_${after}`,
      `${before}_${word.slice(at)}`,
      before + after,
      `${before}${after.slice(0, 1)}${word[at]}${after.slice(1)}`
    ].map((pattern) => `%${pattern}%`)
  })

/**
 * Names in Arabic letters have no short vowels: they are also stored by their consonants in Latin letters, after `~`. A word has to have
 * three of them.
 */
const consonantsIn = (word: string) => {
  const letters = word
    .toLowerCase()
    .replaceAll("sh", "š")
    .replaceAll(/[kc]h/g, "h")
    .replaceAll(/([dtg])h/g, "$1")
    .replaceAll(/[aeiouywäöü'’-]/g, "")
    .replaceAll("š", "sh")
    .replaceAll(/(.)\1+/g, "$1")
  return /^[a-z]{3,}$/.test(letters) ? [`%~%${letters}%`] : []
}

/** The terms of a search, which must all fit. */
export const termsOf = (search: string): ReadonlyArray<SearchTerm> =>
  withPlainNumbers(withNumericMonths(search))
    .split(/[\s,;]+/)
    .filter((word) => word !== "")
    .slice(0, WORDS_MAX)
    .map((word) => ({
      patterns: [...[word, ...datesIn(word)].map(likePattern), ...consonantsIn(word)],
      misspelled: /^\p{L}{4,40}$/u.test(word) ? misspellingsOf(word.toLowerCase()) : []
    }))
