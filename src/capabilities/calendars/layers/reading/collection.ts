/** Answers of CalDAV servers (RFC 4791): XML, parsed in the worker. Only the texts that are needed leave it. */
import { XMLParser } from "fast-xml-parser"
import { CalendarUnreadable } from "../../services/ics/unreadable.ts"

/** Elements of an answer. An event has some seven around it, so that 10 MB of real events have fewer. */
export const ELEMENTS_MAX = 150_000

/** Lines of a file, each of which takes some 500 bytes once it is parsed. 10 MB of real events have 350,000. */
export const LINES_MAX = 500_000

const xml = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true
})

/** Counts before it parses: an empty element of four bytes takes 600. Servers send no document types, which may define entities. */
const parsed = (text: string): unknown => {
  let elements = 0
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const next = text.charCodeAt(at + 1)
    const isClosing = next === 0x2f || next === 0x21 || next === 0x3f // </, <! and <?
    if (!isClosing && ++elements > ELEMENTS_MAX) throw new CalendarUnreadable("too_large")
  }
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new CalendarUnreadable("not_a_calendar")
  try {
    return xml.parse(text)
  } catch {
    throw new CalendarUnreadable("not_a_calendar") // the parser throws an error of its own for each fault
  }
}

/** All elements of this name, the outermost alone. */
const allIn = (node: unknown, name: string): ReadonlyArray<unknown> => {
  if (Array.isArray(node)) return node.flatMap((one) => allIn(one, name))
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => (key === name ? [value].flat() : allIn(value, name)))
}
const textsOf = (node: unknown, name: string) => allIn(node, name).map(String)

/** The tag of a collection's content, from the answer about its properties; null: it has none. Throws `CalendarUnreadable`. */
export const collectionTag = (text: string): string | null => {
  const found = parsed(text)
  return [...textsOf(found, "sync-token"), ...textsOf(found, "getctag")].find((one) => one !== "") ?? null
}

/** The calendar files of a collection as one text, empty without any. Throws `CalendarUnreadable`. */
export const collectionFiles = (text: string): string => {
  const found = parsed(text)
  if (textsOf(found, "multistatus").length === 0) throw new CalendarUnreadable("not_a_calendar")
  // a server that leaves some out says so (RFC 4791, 7.8)
  if (textsOf(found, "status").some((text) => /^HTTP\S+ 507\b/.test(text.trim())))
    throw new CalendarUnreadable("too_large")
  return textsOf(found, "calendar-data")
    .map((file) => file.trim())
    .join("\r\n")
}

/** The calendars that an answer about properties names. Throws `CalendarUnreadable`. */
export const collectionCalendars = (text: string): ReadonlyArray<{ readonly href: string; readonly name: string }> =>
  allIn(parsed(text), "response").flatMap((response) =>
    allIn(allIn(response, "resourcetype"), "calendar").length === 0
      ? []
      : { href: (textsOf(response, "href")[0] ?? "").trim(), name: (textsOf(response, "displayname")[0] ?? "").trim() }
  )
