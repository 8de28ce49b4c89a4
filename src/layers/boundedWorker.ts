/**
 * A thread in which a stranger's bytes are parsed: one text at a time, each within a time limit, at whose end the thread is ended. What
 * parses here does not hold the event loop. The bounds of bytes and elements are the parser's.
 */
import { Data, Effect } from "effect"

/** The limit was exceeded. */
export class ParsingTooLong extends Data.TaggedError("ParsingTooLong") {}

export interface WorkerBounds {
  /** The script; it answers each message with one. */
  readonly file: string
  /** Milliseconds for one message. */
  readonly millis: number
}

/** Sends a message and returns the answer. The thread starts with the first one. */
export const makeBoundedWorker = <Request, Answer>({ file, millis }: WorkerBounds) =>
  Effect.gen(function* () {
    let running: Worker | undefined
    const stop = () => {
      running?.terminate()
      running = undefined
    }
    yield* Effect.addFinalizer(() => Effect.sync(stop))
    const oneAtATime = yield* Effect.makeSemaphore(1)

    const answered = (request: Request) =>
      Effect.async<Answer, ParsingTooLong>((resume) => {
        running ??= new Worker(file, { smol: true, ref: false })
        const timer = setTimeout(() => {
          stop()
          resume(new ParsingTooLong())
        }, millis)
        const ended = (result: Effect.Effect<Answer>) => {
          clearTimeout(timer)
          resume(result)
        }
        running.onmessage = ({ data }: MessageEvent<Answer>) => ended(Effect.succeed(data))
        running.onerror = ({ message }) => {
          stop()
          ended(Effect.die(new Error(message)))
        }
        running.postMessage(request)
        return Effect.sync(() => {
          clearTimeout(timer)
          stop()
        })
      })

    return (request: Request) => oneAtATime.withPermits(1)(answered(request))
  })
