/** The languages of the hosted pages. */
export type Language = "de" | "en"

/** One text in every language. Pages and islands pick a whole table once, by `lang` of the document. */
export type InLanguages<A> = Readonly<Record<Language, A>>

/** Intl locale of a language: German as in Germany, English with the 24-hour clock and day before month. */
export const localeOf = (language: Language) => (language === "de" ? "de-DE" : "en-GB")

/**
 * The language of a page: `?lang=` if it names one of ours, else the best of the browser's `Accept-Language`,
 * else German.
 */
export const chooseLanguage = (asked: string | undefined, acceptLanguage: string | undefined): Language => {
  if (asked === "de" || asked === "en") return asked
  const ranked = (acceptLanguage ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.trim().toLowerCase().split(";")
      const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("q="))
      return { language: tag.slice(0, 2), quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { language } of ranked) if (language === "de" || language === "en") return language
  return "de"
}
