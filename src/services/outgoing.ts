/**
 * Calls to other systems. An adapter declares the limits of its calls here and runs each call within them: it ends at its time-out whoever
 * the caller is, its connection is closed, and an owner has few calls open at once. A call holds no place of its request's cost class.
 * SECURITY.md has a table of all declared limits.
 */
import { FetchHttpClient } from "@effect/platform"
import { Context, Data, Effect, Exit, Fiber, FiberRef, Option, Runtime } from "effect"
import { isOverload } from "./database/SqlErrors.ts"
import { leavePlaces, makeFairQueue } from "./fairQueue.ts"
import { tenancyIn } from "./tenancy/Tenancy.ts"

export interface OutgoingLimits {
  /** The system and what it is asked, for the table. */
  readonly to: string
  /** Seconds of a call, with its wait for others to end. */
  readonly seconds: number
  /** Bytes of an answer, decompressed; null if it is not read as a whole. */
  readonly bytes: number | null
  /** Open calls of a process. */
  readonly atOnce: number
  /** Open calls of an organisation or pharmacy. */
  readonly ofOwner: number
  /** Open calls of an owner to one address. Default: `ofOwner`. */
  readonly ofAddress?: number
  /** Calls of an owner to one address that wait for others to end. Default: 64. */
  readonly waiting?: number
}

/** All that are declared. */
export const declaredLimits: Array<OutgoingLimits> = []

/** Upper limit of all time-outs, seconds: OUTGOING_TIMEOUT_SECONDS. Default: none. */
export const outgoingSecondsMax = FiberRef.unsafeMake(Number.POSITIVE_INFINITY)

/** The current call, for the adapter that opens its connection. */
export class OutgoingCall extends Context.Tag("services/OutgoingCall")<
  OutgoingCall,
  {
    /** Aborted when the call has ended, for whatever reason. */
    readonly ended: AbortSignal
    readonly bytes: number
  }
>() {}

/** An answer has more bytes than its call takes. */
export class AnswerTooLong extends Data.TaggedError("AnswerTooLong") {}

/** A call of a library was late. */
class NoAnswer extends Data.TaggedError("NoAnswer") {}

const open = new Set<() => void>()

/** Ends all calls as their time-outs do, so that a process can exit. */
export const endOutgoing = Effect.sync(() => {
  for (const end of open) end()
})

/**
 * Ends `work` with a failure after these seconds, also if its caller is uninterruptible, and does not wait for its finalizers. A caller that
 * is uninterruptible gets the result although it was interrupted: what a request changes is completed after its client has disconnected.
 */
export const within =
  <E2>(seconds: number, onTimeout: () => E2) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const max = yield* FiberRef.get(outgoingSecondsMax)
        const working = yield* Effect.forkDaemon(Effect.interruptible(work))
        const timer = yield* Effect.forkDaemon(Effect.interruptible(Effect.sleep(1_000 * Math.min(seconds, max))))
        let end = () => {}
        const outcome = Effect.async<A, E | E2>((resume) => {
          end = () => resume(Effect.failSync(onTimeout))
          open.add(end)
          timer.addObserver((exit) => {
            if (Exit.isSuccess(exit)) end()
          })
          working.addObserver((exit) => resume(Effect.zipRight(Fiber.inheritAll(working), exit)))
        })
        const stop = Effect.suspend(() => {
          open.delete(end)
          return Effect.zipRight(Fiber.interruptFork(working), Fiber.interruptFork(timer))
        })
        return yield* Effect.ensuring(restore(outcome), stop)
      })
    )

/** `fetch` with a limit of the answer's bytes, whose connection is closed at the end of the call. */
const fetchWithin = ({ ended, bytes }: Context.Tag.Service<OutgoingCall>): typeof fetch =>
  Object.assign(
    async (...[input, init]: Parameters<typeof fetch>) => {
      const signal = init?.signal ? AbortSignal.any([init.signal, ended]) : ended
      const response = await fetch(input, { ...init, signal })
      let size = 0
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, to) => {
          size += chunk.length
          if (size > bytes) throw new AnswerTooLong()
          to.enqueue(chunk)
        }
      })
      return response.body === null ? response : new Response(response.body.pipeThrough(counted), response)
    },
    { preconnect: fetch.preconnect }
  )

interface CallOptions {
  /** The address, if an owner chooses it. */
  readonly address?: string
  /** Instead of the declared seconds. */
  readonly seconds?: number | undefined
}

/** Declares the limits of a kind of call. The result runs a call within them, which fails with `onTimeout` beyond them. */
export const outgoing = (limits: OutgoingLimits) => {
  declaredLimits.push(limits)
  const { atOnce, ofOwner, ofAddress = ofOwner, waiting = 64 } = limits
  // The time-out of the call ends its wait
  const queue = makeFairQueue({ atOnce, ofOwner, ofCaller: ofAddress, waiting, seconds: 1_000_000 })

  return <E2>(onTimeout: () => E2, { address = "", seconds = limits.seconds }: CallOptions = {}) =>
    <A, E, R>(
      work: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | E2, Exclude<Exclude<R, FetchHttpClient.Fetch>, OutgoingCall>> =>
      Effect.contextWithEffect((context: Context.Context<never>) => {
        const { organisation, pharmacy, organisation_by } = tenancyIn(context)
        const controller = new AbortController()
        const call = { ended: controller.signal, bytes: limits.bytes ?? Number.POSITIVE_INFINITY }
        return work.pipe(
          Effect.provideService(FetchHttpClient.Fetch, fetchWithin(call)),
          Effect.provideService(OutgoingCall, call),
          queue({ owner: organisation || pharmacy || (organisation_by?.key ?? ""), caller: address }),
          Effect.catchSomeDefect((defect) =>
            isOverload(defect) ? Option.some(Effect.failSync(onTimeout)) : Option.none()
          ),
          within(seconds, onTimeout),
          Effect.ensuring(Effect.sync(() => controller.abort())),
          (bounded) => Effect.zipRight(leavePlaces, bounded)
        )
      })
}

/** A `fetch` for libraries, each request of which is a call that includes the whole answer. */
export const callingFetch = (call: ReturnType<typeof outgoing>) =>
  Effect.map(
    Effect.runtime(),
    (runtime) =>
      (url: string, options?: object): Promise<Response> =>
        Runtime.runPromise(runtime)(
          FetchHttpClient.Fetch.pipe(
            Effect.flatMap((limited) =>
              Effect.tryPromise(async () => {
                const response = await limited(url, options)
                return new Response(await response.arrayBuffer(), response)
              })
            ),
            call(() => new NoAnswer())
          )
        )
  )
