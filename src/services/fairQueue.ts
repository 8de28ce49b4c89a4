/** Concurrency limits within one process that are fair to owners (organisations, pharmacies) and to the callers of each. */
import { Effect, FiberRef } from "effect"
import { Overloaded } from "./database/SqlErrors.ts"

export interface QueueLimits {
  /** Runs of all callers at once. */
  readonly atOnce: number
  /** Runs of one owner at once, so that there is room for the others. */
  readonly ofOwner: number
  /** Runs of one caller at once. */
  readonly ofCaller: number
  /** Waiting runs of one caller. */
  readonly waiting: number
  /** Seconds that a run may wait. */
  readonly seconds: number
  /** Whether a run gives its place back when it first calls another system (`outgoing`), which may be slow. Default: no. */
  readonly isLeft?: boolean
}

/** For whom something runs. */
export interface Party {
  readonly owner: string
  readonly caller: string
}

/** What a run holds so far, its place or its position in the queue, is given back by `release`. */
interface Place {
  release: Effect.Effect<void>
}

/** Places that the current work gives back when it calls another system. */
const heldPlaces = FiberRef.unsafeMake<ReadonlyArray<Place>>([])

/** Gives these places back; the work goes on without them. */
export const leavePlaces = Effect.flatMap(FiberRef.get(heldPlaces), (places) =>
  Effect.forEach(
    places,
    (place) => {
      const { release } = place
      place.release = Effect.void
      return release
    },
    { discard: true }
  )
)
interface Caller {
  running: number
  readonly waiting: Array<() => void>
}
interface Owner {
  running: number
  /** In the order in which their turn comes. */
  readonly callers: Map<string, Caller>
}

/**
 * Owners take turns, within an owner its callers, and each caller's runs are in order. A run beyond the limits is the defect
 * `Overloaded` (Rule 2.4.11), at once if too many of its caller wait, or after `seconds`.
 */
export const makeFairQueue = ({ atOnce, ofOwner, ofCaller, waiting, seconds, isLeft = false }: QueueLimits) => {
  /** In the order in which their turn comes. */
  const owners = new Map<string, Owner>()
  let running = 0

  const entryOf = (party: Party) => {
    const owner: Owner = owners.get(party.owner) ?? { running: 0, callers: new Map() }
    owners.set(party.owner, owner)
    const caller: Caller = owner.callers.get(party.caller) ?? { running: 0, waiting: [] }
    owner.callers.set(party.caller, caller)
    return { owner, caller }
  }
  const count = (party: Party, change: 1 | -1) => {
    const { owner, caller } = entryOf(party)
    running += change
    owner.running += change
    caller.running += change
  }
  const forget = (party: Party) => {
    const { owner, caller } = entryOf(party)
    if (caller.running === 0 && caller.waiting.length === 0) owner.callers.delete(party.caller)
    if (owner.callers.size === 0) owners.delete(party.owner)
  }

  /** The first run whose turn it is. */
  const next = () => {
    for (const owner of owners.values()) {
      if (owner.running >= ofOwner) continue
      for (const { running: own, waiting: queue } of owner.callers.values()) {
        const start = own < ofCaller ? queue.shift() : undefined
        if (start !== undefined) return start
      }
    }
    return undefined
  }
  /** Moves the party to the end, after others' turns. */
  const rotate = (party: Party) => {
    const { owner, caller } = entryOf(party)
    owner.callers.delete(party.caller)
    owner.callers.set(party.caller, caller)
    owners.delete(party.owner)
    owners.set(party.owner, owner)
  }
  const startWaiting = () => {
    while (running < atOnce) {
      const start = next()
      if (start === undefined) return
      start()
    }
  }

  /** Whether a run has its turn at once: who waits already has reached a limit of their own. */
  const hasRoom = (party: Party) => {
    const { owner, caller } = entryOf(party)
    return running < atOnce && owner.running < ofOwner && caller.running < ofCaller && caller.waiting.length === 0
  }
  const occupy = (party: Party, place: Place) => {
    count(party, 1)
    rotate(party)
    place.release = leave(party)
  }

  const wait = (party: Party, place: Place) =>
    Effect.async<void>((resume) => {
      const { caller } = entryOf(party)
      if (caller.waiting.length >= waiting) {
        forget(party)
        return resume(Effect.die(new Overloaded()))
      }
      const withdraw = () => {
        clearTimeout(timer)
        caller.waiting.splice(caller.waiting.indexOf(start), 1)
        forget(party)
      }
      const start = () => {
        clearTimeout(timer)
        occupy(party, place)
        resume(Effect.void)
      }
      const timer = setTimeout(() => {
        place.release = Effect.void
        withdraw()
        resume(Effect.die(new Overloaded()))
      }, 1_000 * seconds)
      place.release = Effect.sync(withdraw)
      caller.waiting.push(start)
    })
  const leave = (party: Party) =>
    Effect.sync(() => {
      count(party, -1)
      rotate(party)
      forget(party)
      startWaiting()
    })

  /** Waits for a place. */
  const enter = (party: Party, place: Place) =>
    Effect.suspend(() => (hasRoom(party) ? Effect.succeed(occupy(party, place)) : wait(party, place)))

  return (party: Party) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const place: Place = { release: Effect.void }
        return Effect.ensuring(
          Effect.flatMap(enter(party, place), () =>
            isLeft ? Effect.locallyWith(work, heldPlaces, (places) => [...places, place]) : work
          ),
          Effect.suspend(() => place.release)
        )
      })
}
