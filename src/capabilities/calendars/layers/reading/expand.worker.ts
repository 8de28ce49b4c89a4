/** The thread in which calendars are read. It answers each request. */
import { type Expanded, type ExpandRequest, expand } from "../../services/ics/expand.ts"
import { CalendarUnreadable, type Unreadable } from "../../services/ics/unreadable.ts"
import { collectionCalendars, collectionFiles, collectionTag, LINES_MAX } from "./collection.ts"

const linesIn = (text: string) => {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

const NOTHING: Expanded = { ranges: [], events: 0, all_day_events: 0, skipped_events: 0, notice: null, own: [] }

const file = (request: ExpandRequest) => {
  if (linesIn(request.text) > LINES_MAX) throw new CalendarUnreadable("too_large")
  return expand(request)
}
const collection = (request: ExpandRequest) => {
  const text = collectionFiles(request.text)
  return text === "" ? NOTHING : file({ ...request, text })
}
/** What can be asked. Each throws `CalendarUnreadable`. */
const readers = { file, collection, tag: collectionTag, calendars: collectionCalendars }
export type Readers = typeof readers

export type ReadRequest = {
  readonly [What in keyof Readers]: { readonly what: What; readonly given: Parameters<Readers[What]>[0] }
}[keyof Readers]
export type ReadAnswer = { readonly read: ReturnType<Readers[keyof Readers]> } | { readonly unreadable: Unreadable }

declare const self: Worker

self.onmessage = ({ data: { what, given } }: MessageEvent<ReadRequest>) => {
  const reader = readers[what] as (given: ReadRequest["given"]) => ReturnType<Readers[keyof Readers]> // of the same request
  try {
    self.postMessage({ read: reader(given) } satisfies ReadAnswer)
  } catch (error) {
    if (!(error instanceof CalendarUnreadable)) throw error
    self.postMessage({ unreadable: error.reason } satisfies ReadAnswer)
  }
}
