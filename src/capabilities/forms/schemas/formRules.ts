/** Rules of a form's items as a whole: pure, and of items as they are sent. Rules 22.1.3 and 22.2.1. */
import { Predicate } from "effect"
import { isCalendarDate } from "../../../schemas/birthDate.ts"
import type { Fault } from "../../../schemas/problems.ts"

/** Most groups within each other, and most items of a form. */
const DEPTH_MAX = 5
const ITEMS_MAX = 200

const isAnswered = (type: unknown) => type !== "group" && type !== "display"
const isOrdered = (type: unknown) => type === "integer" || type === "decimal" || type === "date"

export const isDate = (text: unknown): text is string => typeof text === "string" && isCalendarDate(text)

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** An item that a condition names. */
export interface ComparableItem {
  readonly type?: unknown
  readonly options?: unknown
}

/** What a condition may be compared with, by the type of the item that it names. */
export const comparableFault = (earlier: ComparableItem, operator: unknown, answer: unknown) => {
  if (operator === "exists") return typeof answer === "boolean" ? null : "must be true or false"
  if ((operator === ">" || operator === "<") && !isOrdered(earlier.type)) return "has no order: use = or !="
  switch (earlier.type) {
    case "boolean":
      return typeof answer === "boolean" ? null : "must be true or false"
    case "integer":
    case "decimal":
      return typeof answer === "number" ? null : "must be a number"
    case "date":
      return isDate(answer) ? null : "must be a date, YYYY-MM-DD"
    case "choice":
      return list(earlier.options).some((option) => Predicate.isRecord(option) && option.code === answer)
        ? null
        : "must be the code of an option of that item"
    case "file":
      return "can only be asked with exists"
    default:
      return typeof answer === "string" ? null : "must be text"
  }
}

/** Faults of a form's items as sent, of whatever form they are; values of unexpected types are the schema's to refuse. */
export const faultsOfItems = (sent: unknown): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const earlier = new Map<string, ComparableItem>()
  const known = new Set<unknown>()
  let count = 0
  const visit = (items: ReadonlyArray<unknown>, at: string, depth: number) => {
    for (const [i, item] of items.entries()) {
      if (!Predicate.isRecord(item)) continue
      const place = `${at}[${i}]`
      const fault = (field: string, message: string) => faults.push({ field: `${place}.${field}`, message })
      if (++count > ITEMS_MAX) {
        if (count === ITEMS_MAX + 1) faults.push({ field: "items", message: `must have at most ${ITEMS_MAX} entries` })
        return
      }
      if (typeof item.link_id === "string" && known.has(item.link_id)) fault("link_id", "is there already")
      known.add(item.link_id)
      for (const [j, when] of list(item.enable_when).entries()) {
        if (!Predicate.isRecord(when) || typeof when.link_id !== "string") continue
        const named = earlier.get(when.link_id)
        if (named === undefined) fault(`enable_when[${j}].link_id`, "must name an earlier item that is answered")
        else {
          const wrong = comparableFault(named, when.operator, when.answer)
          if (wrong !== null) fault(`enable_when[${j}].answer`, wrong)
        }
      }
      const options = list(item.options)
      if (item.type === "choice" && options.length === 0) fault("options", "must have at least one entry")
      if (item.type !== "choice" && options.length > 0) fault("options", "are of a choice alone")
      const codes = options.map((option) => (Predicate.isRecord(option) ? option.code : option))
      if (new Set(codes).size < codes.length) fault("options", "must not name a code twice")
      if (typeof item.max_length === "number" && item.type !== "string" && item.type !== "text")
        fault("max_length", "is of a string or a text alone")
      for (const bound of ["min", "max"] as const)
        if (typeof item[bound] === "number" && item.type !== "integer" && item.type !== "decimal")
          fault(bound, "is of an integer or a decimal alone")
      if (typeof item.min === "number" && typeof item.max === "number" && item.min > item.max)
        fault("max", "must not be less than min")
      if (!isAnswered(item.type) && item.required === true) fault("required", "is of items that are answered")
      if (!isAnswered(item.type) && item.repeats === true) fault("repeats", "is of items that are answered")
      if (item.type === "boolean" && item.repeats === true) fault("repeats", "is not of a boolean")
      const inner = list(item.items)
      if (item.type !== "group" && inner.length > 0) fault("items", "are of a group alone")
      else if (depth >= DEPTH_MAX && inner.length > 0) fault("items", `may lie in at most ${DEPTH_MAX} groups`)
      else visit(inner, `${place}.items`, depth + 1)
      if (isAnswered(item.type) && typeof item.link_id === "string") earlier.set(item.link_id, item)
    }
  }
  visit(list(sent), "items", 0)
  return faults
}
