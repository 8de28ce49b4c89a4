/** Token buckets of rate limits. A bucket holds one second's allowance and is full when it has not been used for a second. */
import { Context, type Effect } from "effect"

export interface Taking {
  /** Names the bucket. */
  readonly key: string
  /** Tokens that flow in each second, and that a full bucket holds. */
  readonly perSecond: number
  /** How many to take. */
  readonly tokens: number
  /**
   * Takes them also when there are too few: the bucket then owes them. For costs that are known only afterwards. `once`: of a
   * bucket that owes none yet, for a request that has taken its own token.
   */
  readonly overdraw?: boolean | "once"
}

/** What a bucket is like after a taking. `missing` is above 0 when there were too few tokens: then none were taken. */
export interface Bucket {
  /** Whole tokens left; 0 when the bucket owes some. */
  readonly remaining: number
  /** Milliseconds until it is full. */
  readonly fullIn: number
  /** Milliseconds until there are enough tokens for what was asked. */
  readonly missing: number
}

export class Buckets extends Context.Tag("services/Buckets")<
  Buckets,
  { readonly take: (taking: Taking) => Effect.Effect<Bucket> }
>() {}

/** How long a bucket holding one second's tokens takes to fill, in milliseconds. */
const CAPACITY = 1_000

/**
 * The generic cell rate algorithm: of a bucket only the moment is kept at which it will be full again. `filling` is how far
 * off that moment is after the taking, or would be if there had been enough tokens, in milliseconds.
 */
export const bucketOf = (taking: Taking, filling: number): Bucket => ({
  remaining: Math.max(0, Math.floor(((CAPACITY - filling) * taking.perSecond) / CAPACITY)),
  fullIn: filling,
  missing: Math.max(0, filling - termsOf(taking).room)
})

/** Milliseconds by which a taking delays the moment at which the bucket is full, and how far off it may be at most. */
export const termsOf = ({ perSecond, tokens, overdraw = false }: Taking) => {
  const cost = (tokens * CAPACITY) / perSecond
  if (overdraw === true) return { cost, room: Number.POSITIVE_INFINITY }
  return { cost, room: overdraw === "once" ? CAPACITY + cost : CAPACITY }
}
