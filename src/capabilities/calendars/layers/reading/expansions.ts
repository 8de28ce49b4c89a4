/** Reads calendar files and answers of CalDAV servers in a thread of their own: they can be crafted to take for ever. */
import { Effect } from "effect"
import { workerFile } from "../../../../paths.ts"
import { makeBoundedWorker } from "../../services/boundedWorker.ts"
import { CalendarFailed } from "../../services/CalendarServers.ts"
import type { Expanded } from "../../services/ics/expand.ts"
import type { ReadAnswer, ReadRequest } from "./expand.worker.ts"

/** Milliseconds for one text: a calendar of 10 MB takes some 2,000. */
export const TIME_MILLIS = 10_000

export const makeExpansions = Effect.gen(function* () {
  const ask = yield* makeBoundedWorker<ReadRequest, ReadAnswer>({
    file: workerFile("capabilities/calendars/layers/reading/expand.worker"),
    millis: TIME_MILLIS
  })
  const answered = Effect.fnUntraced(function* (request: ReadRequest) {
    const answer = yield* Effect.mapError(ask(request), () => new CalendarFailed({ fault: "too_large" }))
    return "unreadable" in answer ? yield* new CalendarFailed({ fault: answer.unreadable }) : answer
  })
  return {
    /** The busy ranges of a file or of a collection's answer. Fails with `CalendarFailed`. */
    expand: (request: Extract<ReadRequest, { readonly timezone: string }>) =>
      Effect.map(answered(request), (answer) => answer as Expanded), // of this request
    /** The tag in a collection's answer about its properties. Fails with `CalendarFailed`. */
    tagIn: (text: string) =>
      Effect.map(answered({ what: "tag", text }), (answer) => ("tag" in answer ? answer.tag : null)),
    /** The calendars in an answer about properties. Fails with `CalendarFailed`. */
    calendarsIn: (text: string) =>
      Effect.map(answered({ what: "calendars", text }), (answer) => ("calendars" in answer ? answer.calendars : []))
  } as const
})
