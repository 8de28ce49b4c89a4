/**
 * Threads in which strangers' bytes are parsed: one text at a time, each within a time limit, at whose end the thread is ended. What
 * parses here does not hold the event loop. The bounds of bytes and elements are the parser's.
 */
import { type Context, Data, Effect, Option } from "effect"
import { makeFairQueue } from "../../../services/fairQueue.ts"
import { tenancyIn } from "../../../services/tenancy/Tenancy.ts"

/** The limit was exceeded. */
export class ParsingTooLong extends Data.TaggedError("ParsingTooLong") {}

export interface WorkerBounds {
  /** The script; it answers each message with one. */
  readonly file: string
  /** Milliseconds for one message. */
  readonly millis: number
}

/** An owner whose text took longer than this part of the limit is slow, for so many milliseconds. */
const [SLOW_PART, SLOW_MILLIS] = [1 / 4, 3_600_000]

/** One thread, which starts with the first message. */
const makeThread = <Request, Answer>({ file, millis }: WorkerBounds) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync((): { worker?: Worker | undefined } => ({})),
      (thread) => Effect.sync(() => thread.worker?.terminate())
    ),
    (thread) => {
      const stop = () => {
        thread.worker?.terminate()
        thread.worker = undefined
      }
      return (request: Request) =>
        Effect.async<Answer, ParsingTooLong>((resume) => {
          const worker = thread.worker ?? new Worker(file, { smol: true, ref: false })
          thread.worker = worker
          const timer = setTimeout(() => {
            stop()
            resume(new ParsingTooLong())
          }, millis)
          const ended = (result: Effect.Effect<Answer>) => {
            clearTimeout(timer)
            resume(result)
          }
          worker.onmessage = ({ data }: MessageEvent<Answer>) => ended(Effect.succeed(data))
          worker.onerror = ({ message }) => {
            stop()
            ended(Effect.die(new Error(message)))
          }
          worker.postMessage(request)
          return Effect.sync(() => {
            clearTimeout(timer)
            stop()
          })
        })
    }
  )

/**
 * Sends a message and returns the answer. Owners take turns, each with one text at a time. Those whose texts took long lately have a thread
 * of their own, so that they wait for each other and nobody waits for them.
 */
export const makeBoundedWorker = <Request, Answer>(bounds: WorkerBounds) =>
  Effect.gen(function* () {
    /** When each owner was slow last. */
    const slowAt = new Map<string, number>()
    const isSlow = (owner: string) => performance.now() - (slowAt.get(owner) ?? Number.NEGATIVE_INFINITY) < SLOW_MILLIS // real time: of the work itself
    const timed = <A, E>(owner: string, asked: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        const since = performance.now() // real time: of the work itself
        const note = () => {
          const now = performance.now() // real time: of the work itself
          if (now - since > bounds.millis * SLOW_PART) slowAt.set(owner, now)
          else if (!isSlow(owner)) slowAt.delete(owner)
        }
        return Effect.ensuring(asked, Effect.sync(note))
      })
    const lane = Effect.map(makeThread<Request, Answer>(bounds), (ask) => {
      // The callers are jobs, which wait
      const queue = makeFairQueue({ atOnce: 1, ofOwner: 1, ofCaller: 1, waiting: 1_000_000, seconds: 1_000_000 })
      return { ask, inTurn: (owner: string) => queue({ owner, caller: "" }) }
    })
    const prompt = yield* lane
    const slow = yield* lane

    return (request: Request) =>
      Effect.contextWithEffect((context: Context.Context<never>) => {
        const owner = tenancyIn(context).organisation
        const slowly = slow.inTurn(owner)(timed(owner, slow.ask(request)))
        // Whether the owner is slow is known when its turn comes
        const promptly = Effect.suspend(() =>
          isSlow(owner) ? Effect.succeedNone : Effect.asSome(timed(owner, prompt.ask(request)))
        )
        return Effect.flatMap(
          isSlow(owner) ? Effect.succeedNone : prompt.inTurn(owner)(promptly),
          Option.match({ onNone: () => slowly, onSome: Effect.succeed })
        )
      })
  })
