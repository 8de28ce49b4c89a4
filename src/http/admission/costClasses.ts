/** How many requests of a kind run at once in a process. Section 2.12 of the specification. */
import { Context, Effect, Fiber, Option, Record, Runtime } from "effect"
import { Overloaded } from "../../services/database/SqlErrors.ts"
import { makeFairQueue, type Party, type QueueLimits } from "../../services/fairQueue.ts"
import { currentParty } from "./Admission.ts"

interface CostLimits extends QueueLimits {
  /** Seconds after which it is interrupted: only for reads. */
  readonly deadline?: number
}

/**
 * The limits of each class, in a process. A request that calls another system gives its place back before. Together they are below the places in the default queue for the database's connections.
 */
export const costClasses = {
  /** What most requests are: a few statements. */
  ordinary: { atOnce: 64, ofOwner: 48, ofCaller: 32, waiting: 1_000, seconds: 20 },
  /** Looks up an API key, a booking token or a rate limit: by address. */
  admission: { atOnce: 48, ofOwner: 32, ofCaller: 32, waiting: 1_000, seconds: 20 },
  /** Computes free times. */
  search: { atOnce: 8, ofOwner: 4, ofCaller: 2, waiting: 64, seconds: 20, deadline: 30 },
  /** Reads or changes up to all records of an owner. */
  report: { atOnce: 2, ofOwner: 1, ofCaller: 1, waiting: 20, seconds: 20 },
  /** Checkouts and a shop's webhooks. */
  shop: { atOnce: 128, ofOwner: 64, ofCaller: 64, waiting: 64, seconds: 20 }
} as const satisfies Readonly<Record<string, CostLimits>>
export type CostClassName = keyof typeof costClasses

/** Annotation: the class of an endpoint. Default `ordinary`. */
export class CostClass extends Context.Tag("http/CostClass")<CostClass, CostClassName>() {}

export const costClassOf = ({ annotations }: { readonly annotations: Context.Context<never> }): CostClassName =>
  Option.getOrElse(Context.getOption(annotations, CostClass), () => "ordinary" as const)

/** Shared by all requests of the process. */
const queues = Record.map(costClasses, (limits) => makeFairQueue({ ...limits, isLeft: true }))

/** Runs `work` within the limits of its class, fairly to this party. Beyond them it is the defect `Overloaded`. */
export const inClassFor =
  (name: CostClassName, party: Party) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const { deadline }: CostLimits = costClasses[name]
    return queues[name](party)(deadline === undefined ? work : withDeadline(work, deadline))
  }

/** The same for the party of the current request. */
export const inClass =
  (name: CostClassName) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(currentParty, (party) => inClassFor(name, party)(work))

/**
 * Interruptible, though requests that change something are not. By one fiber and a timer: a time-out of Effect's races two fibers, which
 * costs as much as a small request.
 */
const withDeadline = <A, E, R>(work: Effect.Effect<A, E, R>, seconds: number): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.runtime<R>(), (runtime) => {
      const fiber = Runtime.runFork(runtime)(Effect.interruptible(work))
      const stop = Fiber.interrupt(fiber)
      const ended = Effect.async<A, E>((resume) => {
        const timer = setTimeout(() => resume(Effect.zipRight(stop, Effect.die(new Overloaded()))), 1_000 * seconds)
        fiber.addObserver((exit) => {
          clearTimeout(timer)
          resume(Effect.zipRight(Fiber.inheritAll(fiber), exit))
        })
      })
      return Effect.onInterrupt(restore(ended), () => stop)
    })
  )
