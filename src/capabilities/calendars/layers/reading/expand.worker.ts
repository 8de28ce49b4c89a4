/** The thread in which calendars are read. It answers each request. */
import { type Expanded, type ExpandRequest, expand } from "../../services/ics/expand.ts"
import { CalendarUnreadable, type Unreadable } from "../../services/ics/unreadable.ts"
import { collectionCalendars, collectionFiles, collectionTag, LINES_MAX } from "./collection.ts"

export type ReadRequest =
  | ({ readonly what: "file" | "collection" } & ExpandRequest)
  | { readonly what: "tag"; readonly text: string }
  | { readonly what: "calendars"; readonly text: string }
export type ReadAnswer =
  | Expanded
  | { readonly tag: string | null }
  | { readonly calendars: ReturnType<typeof collectionCalendars> }
  | { readonly unreadable: Unreadable }

const linesIn = (text: string) => {
  let lines = 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

const NOTHING: Expanded = { ranges: [], events: 0, all_day_events: 0, skipped_events: 0, notice: null, own: [] }

const read = (request: ReadRequest): ReadAnswer => {
  if (request.what === "tag") return { tag: collectionTag(request.text) }
  if (request.what === "calendars") return { calendars: collectionCalendars(request.text) }
  const text = request.what === "collection" ? collectionFiles(request.text) : request.text
  if (request.what === "collection" && text === "") return NOTHING
  if (linesIn(text) > LINES_MAX) throw new CalendarUnreadable("too_large")
  return expand({ ...request, text })
}

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<ReadRequest>) => {
  try {
    self.postMessage(read(data))
  } catch (error) {
    if (!(error instanceof CalendarUnreadable)) throw error
    self.postMessage({ unreadable: error.reason } satisfies ReadAnswer)
  }
}
