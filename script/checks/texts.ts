import { installed, manifests } from "../../src/capabilities/index.ts"
import { addLanguages, catalogue } from "../../src/texts/catalogue.ts"
import { type Language, localeOf, writtenLanguages } from "../../src/texts/language.ts"
import { allNoticeTexts } from "../../src/texts/notices.ts"
import type { SourceFile } from "./imports.ts"

for (const { languages } of manifests()) addLanguages(languages)

const textsIn = (language: Language) => ({ ...catalogue[language], notices: allNoticeTexts(language) })

/** Every text by its path in the texts, e.g. `booking.steps.time`. */
const leavesOf = (tree: object, path = ""): ReadonlyArray<readonly [string, string]> =>
  Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    const here = path === "" ? key : `${path}.${key}`
    if (typeof value === "string") return [[here, value] as const]
    return typeof value === "object" && value !== null ? leavesOf(value, here) : []
  })

const isPlural = (path: string) => /\.(zero|one|two|few|many|other)$/.test(path)
const placesOf = (text: string) =>
  [...text.matchAll(/\{\w+\}/g)]
    .map(([place]) => place)
    .sort()
    .join()

/** Placeholders that differ from the German text; the compiler checks the keys themselves. */
const placeFaults = (language: Language) => {
  const expected = new Map(leavesOf(textsIn("de")))
  return leavesOf(textsIn(language))
    .filter(([path, text]) => !isPlural(path) && placesOf(text) !== placesOf(expected.get(path) ?? ""))
    .map(([path]) => `src/texts/${language}.ts: ${path} fills other places than the German text`)
}

/** Plural texts that lack a form of the language, e.g. `few` in Russian. */
const pluralFaults = (language: Language) => {
  const { pluralCategories } = new Intl.PluralRules(localeOf(language)).resolvedOptions()
  const paths = new Set(leavesOf(catalogue[language]).map(([path]) => path))
  return [...paths]
    .filter((path) => path.endsWith(".other"))
    .flatMap((path) => pluralCategories.map((category) => path.replace(/other$/, category)))
    .filter((path) => !paths.has(path))
    .map((path) => `src/texts/${language}.ts: ${path} is missing`)
}

/** Texts of the page of an appointment stand with the core's, in every language: without its folder nothing uses them. */
const isOfLostPage = (path: string) =>
  path.startsWith("appointment.") && !installed.some(({ name }) => name === "appointment-page")

/** Keys that no source outside of the texts uses. */
const unusedKeys = (files: ReadonlyArray<SourceFile>) => {
  const words = new Set(
    files
      .filter(({ path }) => path.startsWith("src/") && !/^src\/(capabilities\/languages\/)?texts\//.test(path))
      .flatMap(({ text }) => text.match(/\w+/g) ?? [])
  )
  return (
    leavesOf(textsIn("de"))
      .map(([path]) => (isPlural(path) ? path.replace(/\.\w+$/, "") : path))
      // zones are looked up by name, which is data
      .filter(
        (path) => !path.split(".").every((key, _, [first]) => words.has(key) || (first === "zones" && words.has(first)))
      )
      .filter((path) => !isOfLostPage(path))
      .map((path) => `src/texts/de.ts: nothing uses ${path}`)
  )
}

/** Unused texts, and translations that do not match. */
export const textFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => [
  ...writtenLanguages().flatMap(placeFaults),
  ...writtenLanguages().flatMap(pluralFaults),
  ...new Set(unusedKeys(files))
]
