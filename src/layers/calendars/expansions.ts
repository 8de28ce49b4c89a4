/** Expands calendar files in a thread of their own, one at a time, each within a time limit: a file can be crafted to take for ever. */
import { Effect } from "effect"
import { workerFile } from "../../paths.ts"
import { within } from "../../services/outgoing.ts"
import { CalendarFailed } from "../../services/scheduling/calendar/CalendarReader.ts"
import type { ExpandRequest } from "./expand.ts"
import type { ExpandAnswer } from "./expand.worker.ts"

/** Seconds for one file: a calendar of 10 MB takes some two. */
const SECONDS = 10
const WORKER = "layers/calendars/expand.worker"

export const makeExpansions = Effect.gen(function* () {
  let running: Worker | undefined
  const stop = () => {
    running?.terminate()
    running = undefined
  }
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  const oneAtATime = yield* Effect.makeSemaphore(1)

  const answered = (request: ExpandRequest) =>
    Effect.async<ExpandAnswer, CalendarFailed>((resume) => {
      running ??= new Worker(workerFile(WORKER), { smol: true, ref: false })
      running.onmessage = ({ data }: MessageEvent<ExpandAnswer>) => resume(Effect.succeed(data))
      running.onerror = (event) => {
        stop()
        resume(Effect.die(new Error(event.message)))
      }
      running.postMessage(request)
    }).pipe(
      within(SECONDS, () => new CalendarFailed({ fault: "too_large" })),
      Effect.tapError(() => Effect.sync(stop)),
      Effect.onInterrupt(() => Effect.sync(stop))
    )

  /** The busy ranges of a file. Fails with `CalendarFailed`. */
  return (request: ExpandRequest) =>
    oneAtATime
      .withPermits(1)(answered(request))
      .pipe(
        Effect.flatMap(
          Effect.fnUntraced(function* (answer) {
            return "unreadable" in answer ? yield* new CalendarFailed({ fault: answer.unreadable }) : answer
          })
        )
      )
})
