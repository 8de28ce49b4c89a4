/**
 * What a form asks and which answers it takes: pure, without a database. An item is enabled by its conditions on earlier items and by
 * its group; a disabled item has no answer. Section 22.2.
 */
import { isText, isWithin, onOneLine, tidied } from "../../../schemas/fields.ts"
import type { Fault } from "../../../schemas/problems.ts"
import type { Answers, Condition, FormItem } from "../schemas/Form.ts"
import { isDate } from "../schemas/formRules.ts"

type Scalar = string | number | boolean
type Item = FormItem

/** Most answers of one item. */
const REPEATS_MAX = 50
const LENGTHS = { string: 255, text: 2_000 } as const

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
    const values = [value].flat().filter((one) => !isBlank(one))
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
