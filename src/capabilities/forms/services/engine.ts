/**
 * What a form asks and which answers it takes: pure, without a database. An item is enabled by its conditions on earlier items and by
 * its group; a disabled item has no answer. Section 22.2.
 */
import { Predicate } from "effect"
import { isText, isWithin, onOneLine, tidied } from "../../../schemas/fields.ts"
import type { Fault } from "../../../schemas/problems.ts"
import type { Answers, Condition, FormItem } from "../schemas/Form.ts"

type Scalar = string | number | boolean
type Item = FormItem

/** Most groups within each other, and most items of a form. */
const DEPTH_MAX = 5
const ITEMS_MAX = 200
/** Most answers of one item. */
const REPEATS_MAX = 50
const LENGTHS = { string: 255, text: 2_000 } as const

const isAnswered = (type: unknown) => type !== "group" && type !== "display"
const isOrdered = (type: unknown) => type === "integer" || type === "decimal" || type === "date"

export const isDate = (text: unknown): text is string => {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** What a condition may be compared with, by the type of the item that it names. */
const comparableFault = (earlier: Readonly<Record<string, unknown>>, operator: unknown, answer: unknown) => {
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
  const earlier = new Map<string, Readonly<Record<string, unknown>>>()
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

/** Every item in its order, groups before what they have. */
export const flattened = (items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.flatMap((item) => [item, ...flattened(item.items)])

const holdsFor = ({ operator, answer }: Condition, values: ReadonlyArray<Scalar>): boolean => {
  if (operator === "exists") return values.length > 0 === answer
  if (values.length === 0) return false
  if (operator === "=") return values.includes(answer)
  if (operator === "!=") return !values.includes(answer)
  return values.some((value) => typeof value === typeof answer && (operator === ">" ? value > answer : value < answer))
}

/** Whether a condition holds for these answers, which are those of enabled items. */
export const holds = (condition: Condition, answers: Answers): boolean => {
  const given = answers[condition.link_id]
  return holdsFor(condition, given === undefined ? [] : typeof given === "object" ? given : [given])
}

const numberFault = ({ min, max }: Item, value: number) =>
  min !== null && value < min
    ? `must be at least ${min}`
    : max !== null && value > max
      ? `must be at most ${max}`
      : undefined

/** One answer as it is kept, or what is wrong with it. */
const read = (item: Item, value: unknown, isFile: (uid: string) => boolean): { kept: Scalar } | string => {
  switch (item.type) {
    case "boolean":
      return typeof value === "boolean" ? { kept: value } : "must be true or false"
    case "choice":
      return typeof value === "string" && item.options.some(({ code }) => code === value)
        ? { kept: value }
        : "must be the code of an option"
    case "string":
    case "text": {
      const most = item.max_length ?? LENGTHS[item.type]
      const wrong = `must be text of at most ${most} characters`
      if (typeof value !== "string" || value.length > 4 * most + 1_000 || !isText(value)) return wrong
      const kept = item.type === "text" ? tidied(value) : onOneLine(value)
      return isWithin(kept, 0, most) ? { kept } : wrong
    }
    case "integer":
      if (!Number.isSafeInteger(value)) return "must be an integer"
      return numberFault(item, Number(value)) ?? { kept: Number(value) }
    case "decimal":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number"
      return numberFault(item, value) ?? { kept: value }
    case "date":
      return isDate(value) ? { kept: value } : "must be a date, YYYY-MM-DD"
    case "file":
      return typeof value === "string" && isFile(value)
        ? { kept: value }
        : "must be the uid of a file of this form that is not rejected"
    default:
      return "is not answered"
  }
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "")

export interface Judged {
  /** Of enabled items alone. */
  readonly answers: Answers
  readonly faults: ReadonlyArray<Fault>
  /** Required items that are enabled and have no answer. */
  readonly missing: ReadonlyArray<string>
  readonly enabled: ReadonlySet<string>
}

/** Reads answers as sent, item by item, so that every condition sees the answers that are kept. */
export const judge = (
  items: ReadonlyArray<Item>,
  sent: Readonly<Record<string, unknown>>,
  isFile: (uid: string) => boolean = () => true
): Judged => {
  const answers: Record<string, Scalar | ReadonlyArray<Scalar>> = Object.create(null)
  const faults: Array<Fault> = []
  const missing: Array<string> = []
  const enabled = new Set<string>()
  const visit = (item: Item) => {
    const { link_id, enable_when, enable_behavior, repeats, required } = item
    const isMet = (condition: Condition) => holds(condition, answers)
    if (enable_when.length > 0 && !(enable_behavior === "all" ? enable_when.every(isMet) : enable_when.some(isMet)))
      return
    enabled.add(link_id)
    if (item.type === "group") return item.items.forEach(visit)
    if (item.type === "display") return
    const fault = (message: string) => faults.push({ field: `answers.${link_id}`, message })
    const value = Object.hasOwn(sent, link_id) ? sent[link_id] : undefined
    if (Array.isArray(value) !== repeats && !isBlank(value))
      return fault(repeats ? "must be a list" : "must not be a list")
    const values = (repeats ? list(value) : [value]).filter((one) => !isBlank(one))
    if (values.length > REPEATS_MAX) return fault(`must have at most ${REPEATS_MAX} entries`)
    const kept: Array<Scalar> = []
    for (const one of values) {
      const found = read(item, one, isFile)
      if (typeof found === "string") return fault(found)
      if (found.kept !== "") kept.push(found.kept)
    }
    const [first] = kept
    if (first === undefined) {
      if (required) missing.push(link_id)
    } else answers[link_id] = repeats ? kept : first
  }
  items.forEach(visit)
  return { answers: { ...answers }, faults, missing, enabled }
}

/** Faults of answers that are to be complete. */
export const faultsOf = ({ faults, missing }: Judged): ReadonlyArray<Fault> => [
  ...faults,
  ...missing.map((link_id) => ({ field: `answers.${link_id}`, message: "is required" }))
]

/** A text in a language: of its own, else in the practice's, else the first. */
export const textIn = (text: FormItem["text"], ...languages: ReadonlyArray<string>): string => {
  if (typeof text === "string") return text
  for (const language of languages) {
    const found = text[language] ?? text[language.split("-")[0] ?? ""]
    if (found !== undefined) return found
  }
  return Object.values(text)[0] ?? ""
}
