/** Every language that pages and messages are written in; the first one is the default. */
export const languages = ["de", "en"] as const

export type Language = (typeof languages)[number]

const locales: Readonly<Record<Language, string>> = { de: "de-DE", en: "en-GB" }

const rightToLeft: ReadonlyArray<Language> = []

/** The locale for `Intl`: German as in Germany, English with the 24-hour clock and the day before the month. */
export const localeOf = (language: Language) => locales[language]

/** Which way a language is written. */
export const directionOf = (language: Language) => (rightToLeft.includes(language) ? "rtl" : "ltr")

/** What a language calls itself, e.g. `Deutsch`. */
export const nameOfLanguage = (language: Language) =>
  new Intl.DisplayNames(locales[language], { type: "language" }).of(language) ?? language

/** The language that a BCP 47 tag such as `de-AT` names; undefined for one that has no catalogue here. */
export const languageOfTag = (tag: string): Language | undefined => {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0]
  return languages.find((language) => language === primary)
}

/** The language of a profile, e.g. `de-AT`: German where none is named, English where it has no catalogue here. */
export const languageOfProfile = (tag: string | null | undefined): Language =>
  tag === null || tag === undefined ? languages[0] : (languageOfTag(tag) ?? "en")

interface Preferences {
  /** a tag that was chosen explicitly */
  readonly chosen?: string | undefined
  /** the header `Accept-Language` (RFC 9110 §12.5.4) */
  readonly acceptLanguage?: string | undefined
}

const ranges = (acceptLanguage: string) =>
  acceptLanguage
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";")
      const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => /^q=/i.test(parameter))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)

/** The language to answer in: the chosen one, else the best of `Accept-Language`, else German. */
export const negotiateLanguage = ({ chosen, acceptLanguage }: Preferences): Language => {
  const tags = [chosen ?? "", ...ranges(acceptLanguage ?? "").map(({ tag }) => tag)]
  return tags.map(languageOfTag).find((language) => language !== undefined) ?? languages[0]
}
