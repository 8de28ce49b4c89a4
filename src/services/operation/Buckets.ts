/** Token buckets of rate limits. A bucket holds one second's tokens and is full after one second without use. */
import { Context, type Effect } from "effect"

export interface Taking {
  /** Identifies the bucket. */
  readonly key: string
  /** Refill rate per second, and capacity. */
  readonly perSecond: number
  /** Number of tokens to take. */
  readonly tokens: number
  /**
   * Takes them even if there are too few: the bucket then has a deficit. For costs that are known only afterwards. `once`: only from a
   * bucket without a deficit, for a request that has already taken its own token.
   */
  readonly overdraw?: boolean | "once"
}

/** State of a bucket after taking. `missing` is above 0 if there were too few tokens: then none were taken. */
export interface Bucket {
  /** Whole tokens left; 0 if the bucket has a deficit. */
  readonly remaining: number
  /** Milliseconds until it is full. */
  readonly fullIn: number
  /** Milliseconds until there are enough tokens for the request. */
  readonly missing: number
}

export class Buckets extends Context.Tag("services/Buckets")<
  Buckets,
  { readonly take: (taking: Taking) => Effect.Effect<Bucket> }
>() {}

/** Time to fill an empty bucket, milliseconds. */
const FILL_MILLIS = 1_000

/**
 * The generic cell rate algorithm (GCRA): a bucket's only state is the time at which it will be full. `filling` is the time until then
 * after taking, or what it would be with enough tokens, in milliseconds.
 */
export const bucketOf = (taking: Taking, filling: number): Bucket => ({
  remaining: Math.max(0, Math.floor(((FILL_MILLIS - filling) * taking.perSecond) / FILL_MILLIS)),
  fullIn: filling,
  missing: Math.max(0, filling - termsOf(taking).room)
})

/** Milliseconds by which taking delays the time at which the bucket is full, and the maximum of that delay. */
export const termsOf = ({ perSecond, tokens, overdraw = false }: Taking) => {
  const cost = (tokens * FILL_MILLIS) / perSecond
  if (overdraw === true) return { cost, room: Number.POSITIVE_INFINITY }
  return { cost, room: overdraw === "once" ? FILL_MILLIS + cost : FILL_MILLIS }
}
