/** A form screen by screen, and what a browser sends of one. Pure. */

import { type Language, localeOf } from "../../../texts/language.ts"
import type { Answers, FormItem } from "../schemas/Form.ts"
import { isAnswered } from "../schemas/formRules.ts"
import { flattened, textIn } from "./engine.ts"

type Items = ReadonlyArray<FormItem>

/** A group is a screen of its own, and so are the items between two groups. */
export const screensOf = (items: Items): ReadonlyArray<Items> => {
  const screens: Array<Array<FormItem>> = []
  for (const item of items) {
    const last = screens.at(-1)
    if (item.type === "group" || last === undefined || last[0]?.type === "group") screens.push([item])
    else last.push(item)
  }
  return screens
}

/** The items of a screen that are asked now. */
export const askedOn = (screen: Items, enabled: ReadonlySet<string>) =>
  flattened(screen).filter((item) => isAnswered(item) && enabled.has(item.link_id))

/** The numbers of the screens with something on them. */
export const reachedIn = (screens: ReadonlyArray<Items>, enabled: ReadonlySet<string>) =>
  screens.flatMap((screen, index) =>
    flattened(screen).some(({ link_id, type }) => type !== "group" && enabled.has(link_id)) ? [index] : []
  )

/** Most lines that are read of the text of several answers: no item has so many. */
const LINES_MAX = 1_000

const numberOf = (text: string): unknown => {
  const number = Number(text.trim().replace(",", "."))
  return Number.isNaN(number) ? text : number
}

/** The answer that the texts of an item's fields say; undefined without any. What they say wrongly, the form refuses. */
export const answerOf = (item: FormItem, sent: ReadonlyArray<string>): unknown => {
  const isLines = item.repeats && item.type !== "choice" && item.type !== "file"
  const texts = (isLines ? sent.flatMap((text) => text.split("\n", LINES_MAX)) : sent).filter(
    (text) => text.trim() !== ""
  )
  if (texts.length === 0) return undefined
  if (item.type === "boolean") return texts[0] === "yes"
  const values = item.type === "integer" || item.type === "decimal" ? texts.map(numberOf) : texts
  return item.repeats ? values : values[0]
}

/** An answer as an item's fields show it. */
export const textsOf = (answers: Answers, { link_id, type }: FormItem): ReadonlyArray<string> => {
  const given = answers[link_id]
  if (given === undefined) return []
  return [given].flat().map((one) => (type === "boolean" ? (one === true ? "yes" : "no") : String(one)))
}

/** Such a text in words. `yesNo`: the words of a boolean; `nameOf`: a file's name by its uid. */
export const saidOf = (
  { type, options }: FormItem,
  text: string,
  language: Language,
  yesNo: { readonly yes: string; readonly no: string },
  nameOf: (uid: string) => string | undefined
): string => {
  switch (type) {
    case "boolean":
      return text === "yes" ? yesNo.yes : yesNo.no
    case "choice":
      return textIn(options.find(({ code }) => code === text)?.text ?? text, language, "de")
    case "file":
      return nameOf(text) ?? text
    case "date":
      return new Date(text).toLocaleDateString(localeOf(language), { dateStyle: "long", timeZone: "UTC" })
    case "decimal":
      return Number(text).toLocaleString(localeOf(language), { maximumFractionDigits: 20 })
    default:
      return text
  }
}
