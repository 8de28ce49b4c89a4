/** Rules of a form's items as a whole: pure. Rules 22.1.3 and 22.2.1. */
import { isCalendarDate } from "../../../schemas/birthDate.ts"
import type { Fault } from "../../../schemas/problems.ts"

/** Most groups within each other, and most items of a form. */
const DEPTH_MAX = 5
export const ITEMS_MAX = 200

/** An item, as far as the rules are about it. */
interface RuledItem {
  readonly link_id: string
  readonly type: string
  readonly options: ReadonlyArray<{ readonly code: string }>
  readonly max_length: number | null
  readonly min: number | null
  readonly max: number | null
  readonly required: boolean
  readonly repeats: boolean
  readonly enable_when: ReadonlyArray<{ readonly link_id: string; readonly operator: string; readonly answer: unknown }>
  readonly items: ReadonlyArray<RuledItem>
}

export const isAnswered = ({ type }: Pick<RuledItem, "type">) => type !== "group" && type !== "display"
const isNumber = ({ type }: Pick<RuledItem, "type">) => type === "integer" || type === "decimal"

export const isDate = (text: unknown): text is string => typeof text === "string" && isCalendarDate(text)

/** An item that a condition names. */
export type ComparableItem = Pick<RuledItem, "type" | "options">

/** What a condition may be compared with, by the type of the item that it names. */
export const comparableFault = (earlier: ComparableItem, operator: string, answer: unknown) => {
  if (operator === "exists") return typeof answer === "boolean" ? null : "must be true or false"
  if ((operator === ">" || operator === "<") && !isNumber(earlier) && earlier.type !== "date")
    return "has no order: use = or !="
  switch (earlier.type) {
    case "boolean":
      return typeof answer === "boolean" ? null : "must be true or false"
    case "integer":
    case "decimal":
      return typeof answer === "number" ? null : "must be a number"
    case "date":
      return isDate(answer) ? null : "must be a date, YYYY-MM-DD"
    case "choice":
      return earlier.options.some(({ code }) => code === answer) ? null : "must be the code of an option of that item"
    case "file":
      return "can only be asked with exists"
    default:
      return typeof answer === "string" ? null : "must be text"
  }
}

/** What of an item does not fit its type. */
const misfits = (item: RuledItem) => {
  const { type, options, max_length, min, max, required, repeats } = item
  const codes = new Set(options.map(({ code }) => code))
  const rules: ReadonlyArray<readonly [isBroken: boolean, field: string, message: string]> = [
    [type === "choice" && options.length === 0, "options", "must have at least one entry"],
    [type !== "choice" && options.length > 0, "options", "are of a choice alone"],
    [codes.size < options.length, "options", "must not name a code twice"],
    [max_length !== null && type !== "string" && type !== "text", "max_length", "is of a string or a text alone"],
    [min !== null && !isNumber(item), "min", "is of an integer or a decimal alone"],
    [max !== null && !isNumber(item), "max", "is of an integer or a decimal alone"],
    [min !== null && max !== null && min > max, "max", "must not be less than min"],
    [required && !isAnswered(item), "required", "is of items that are answered"],
    [repeats && !isAnswered(item), "repeats", "is of items that are answered"],
    [repeats && type === "boolean", "repeats", "is not of a boolean"],
    [type !== "group" && item.items.length > 0, "items", "are of a group alone"]
  ]
  return rules.filter(([isBroken]) => isBroken)
}

/** Faults of a form's items. */
export const faultsOfItems = (sent: ReadonlyArray<RuledItem>): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const earlier = new Map<string, RuledItem>()
  const known = new Set<string>()
  let count = 0
  const visit = (items: ReadonlyArray<RuledItem>, at: string, depth: number) => {
    for (const [i, item] of items.entries()) {
      if (++count === ITEMS_MAX + 1) faults.push({ field: "items", message: `must have at most ${ITEMS_MAX} entries` })
      if (count > ITEMS_MAX) return
      const place = `${at}[${i}]`
      const fault = (field: string, message: string) => faults.push({ field: `${place}.${field}`, message })
      if (known.has(item.link_id)) fault("link_id", "is there already")
      known.add(item.link_id)
      for (const [j, { link_id, operator, answer }] of item.enable_when.entries()) {
        const named = earlier.get(link_id)
        const wrong = named === undefined ? null : comparableFault(named, operator, answer)
        if (named === undefined) fault(`enable_when[${j}].link_id`, "must name an earlier item that is answered")
        if (wrong !== null) fault(`enable_when[${j}].answer`, wrong)
      }
      for (const [, field, message] of misfits(item)) fault(field, message)
      if (depth >= DEPTH_MAX && item.items.length > 0) fault("items", `may lie in at most ${DEPTH_MAX} groups`)
      else visit(item.items, `${place}.items`, depth + 1)
      if (isAnswered(item)) earlier.set(item.link_id, item)
    }
  }
  visit(sent, "items", 0)
  return faults
}
