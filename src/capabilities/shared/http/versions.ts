/**
 * The versions of the records that a page has read: its forms send them as `If-Match`, so that a change made by another in the meantime is
 * not undone without being seen. Rule 17.2.8.
 */
import { FiberRef, Predicate } from "effect"
import { tagOfJson, tagOfListed } from "../../../http/conditional.ts"

/** The JSON of the interface's answers that a page has read, by path without query: a list may have been read in several pages. */
type Answers = ReadonlyMap<string, ReadonlyArray<string>>
export const readAnswers = FiberRef.unsafeMake<Map<string, ReadonlyArray<string>>>(new Map())

const listIn = (answer: unknown): ReadonlyArray<unknown> => {
  const data = answer !== null && typeof answer === "object" ? Reflect.get(answer, "data") : undefined
  return Array.isArray(data) ? data : []
}

/** The fields that identify a record in its path. */
const KEYS = ["uid", "client_id", "appointment_type_uid"]

/** Records that may not exist yet, in lists that are read in one piece: a missing one has the tag of null. */
const isOptional = (path: string) => path.includes("/appointment-type-settings/")

/**
 * The tag of the record at this path: of the record itself if it was read, otherwise of its entry in the list above it, or of the field of
 * this name of the record above it; undefined if it was not read. An entry has the same JSON as the record.
 */
export const versionIn = (answers: Answers) => {
  const lists = new Map<string, ReadonlyArray<unknown>>()
  return (path: string): string | undefined => {
    const own = answers.get(path)?.at(-1)
    const at = path.lastIndexOf("/")
    if (own !== undefined) return tagOfListed(path.slice(0, at), JSON.parse(own))
    const [parent, uid] = [path.slice(0, at), decodeURIComponent(path.slice(at + 1))]
    const list = lists.get(parent) ?? (answers.get(parent) ?? []).flatMap((text) => listIn(JSON.parse(text)))
    lists.set(parent, list)
    const isIt = (one: unknown): one is object =>
      one !== null && typeof one === "object" && KEYS.some((key) => Reflect.get(one, key) === uid)
    const found = list.find(isIt)
    if (found !== undefined) return tagOfListed(parent, found)
    const above = answers.get(parent)?.at(-1)
    if (above === undefined) return undefined
    if (isOptional(path)) return tagOfJson(null)
    const record: unknown = JSON.parse(above)
    return Predicate.hasProperty(record, uid) ? tagOfJson(record[uid]) : undefined
  }
}
