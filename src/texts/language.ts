/** Every language that pages and messages can be written in; the first one is the default. */
export const languages = ["de", "en", "en-US", "tr", "ar", "uk", "ru"] as const

export type Language = (typeof languages)[number]

let written: ReadonlyArray<Language> = ["de", "en"]
/** Those for which there are texts. */
export const writtenLanguages = () => written
/** Adds languages by their texts; `addLanguages` of the catalogue calls it. */
export const addWritten = (added: Readonly<Partial<Record<Language, unknown>>>) => {
  written = languages.filter((language) => written.includes(language) || Object.hasOwn(added, language))
}

/** Arabic with the digits of telephone numbers and addresses, which stand beside dates. */
const locales: Readonly<Record<Language, string>> = {
  de: "de-DE",
  en: "en-GB",
  "en-US": "en-US",
  tr: "tr-TR",
  ar: "ar-u-nu-latn",
  uk: "uk-UA",
  ru: "ru-RU"
}

const rightToLeft: ReadonlyArray<Language> = ["ar"]

/** The locale for `Intl`: German as in Germany, `en` with the day before the month, `en-US` the other way round. */
export const localeOf = (language: Language) => locales[language]

/** How a clock time is written: by 24 hours, in the United States by 12. */
export const clockOf = (language: Language): Intl.DateTimeFormatOptions =>
  language === "en-US"
    ? { hour: "numeric", minute: "2-digit", hourCycle: "h12" }
    : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }

/** Which way a language is written. */
export const directionOf = (language: Language) => (rightToLeft.includes(language) ? "rtl" : "ltr")

/** What a language calls itself, e.g. `Deutsch`. */
export const nameOfLanguage = (language: Language) =>
  new Intl.DisplayNames(locales[language], { type: "language" }).of(language) ?? language

/**
 * Of some languages the one that a BCP 47 tag such as `de-AT` names: the same tag, else the same language, `en-US` only
 * where nothing else is English; undefined for one that is not among them.
 */
export const languageAmong = <L extends string>(among: ReadonlyArray<L>, tag: string): L | undefined => {
  const wanted = tag.trim().toLowerCase().replaceAll("_", "-")
  const primary = wanted.split("-")[0]
  return (
    among.find((language) => language.toLowerCase() === wanted) ??
    among.find((language) => language.toLowerCase().split("-")[0] === primary)
  )
}

/** The language that a tag names; undefined for one that has no catalogue here. */
export const languageOfTag = (tag: string): Language | undefined => languageAmong(written, tag)

/** The language of a profile, e.g. `de-AT`: German where none is named, English where it has no catalogue here. */
export const languageOfProfile = (tag: string | null | undefined): Language =>
  tag === null || tag === undefined ? languages[0] : (languageOfTag(tag) ?? "en")

interface Preferences {
  /** a tag that was chosen explicitly */
  readonly chosen?: string | undefined
  /** the header `Accept-Language` (RFC 9110 §12.5.4) */
  readonly acceptLanguage?: string | undefined
  /** the languages to choose from, the default one first; all that have texts where none are named */
  readonly among?: ReadonlyArray<Language>
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

/** The chosen language, else the best of `Accept-Language`; undefined where both name none that there is. */
export const askedLanguage = ({ chosen, acceptLanguage, among = written }: Preferences): Language | undefined => {
  const tags = [chosen ?? "", ...ranges(acceptLanguage ?? "").map(({ tag }) => tag)]
  return tags.map((tag) => languageAmong(among, tag)).find((language) => language !== undefined)
}

/** The language to answer in: the one that is asked for, else the default one. */
export const negotiateLanguage = (preferences: Preferences): Language =>
  askedLanguage(preferences) ?? preferences.among?.[0] ?? languages[0]
