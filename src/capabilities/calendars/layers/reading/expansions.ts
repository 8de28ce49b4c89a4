/** Reads calendar files and answers of CalDAV servers in a thread of their own: they can be crafted to take for ever. */
import { Effect } from "effect"
import { workerFile } from "../../../../paths.ts"
import { makeBoundedWorker } from "../../services/boundedWorker.ts"
import { CalendarFailed } from "../../services/CalendarServers.ts"
import type { ReadAnswer, Readers, ReadRequest } from "./expand.worker.ts"

/** Milliseconds for one text: a calendar of 10 MB takes some 2,000. */
export const TIME_MILLIS = 10_000

export const makeExpansions = Effect.map(
  makeBoundedWorker<ReadRequest, ReadAnswer>({
    file: workerFile("capabilities/calendars/layers/reading/expand.worker"),
    millis: TIME_MILLIS
  }),
  (ask) =>
    <What extends keyof Readers>(what: What, given: Parameters<Readers[What]>[0]) =>
      ask({ what, given } as ReadRequest).pipe(
        Effect.mapError(() => new CalendarFailed({ fault: "too_large" })),
        // a fault of ours in one file is noted there; the practice's other calendars are read
        Effect.catchAllDefect((defect) =>
          Effect.zipRight(
            Effect.logError("a calendar could not be read", defect),
            new CalendarFailed({ fault: "not_a_calendar" })
          )
        ),
        Effect.flatMap(
          (answer) =>
            "unreadable" in answer
              ? new CalendarFailed({ fault: answer.unreadable })
              : Effect.succeed(answer.read as ReturnType<Readers[What]>) // of this request
        )
      )
)
