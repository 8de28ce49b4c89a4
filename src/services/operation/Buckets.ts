/** Token buckets of rate limits. A bucket holds one second's tokens and is full after one second without use. */
import { Context, type Effect } from "effect"

/** Takes one token. */
export interface Taking {
  /** Identifies the bucket. */
  readonly key: string
  /** Refill rate per second, and capacity. */
  readonly perSecond: number
}

/** State of a bucket after taking. `missing` is above 0 if there was no token: then none was taken. */
export interface Bucket {
  /** Whole tokens left. */
  readonly remaining: number
  /** Milliseconds until it is full. */
  readonly fullIn: number
  /** Milliseconds until there is a token. */
  readonly missing: number
}

export class Buckets extends Context.Tag("services/Buckets")<
  Buckets,
  { readonly take: (taking: Taking) => Effect.Effect<Bucket> }
>() {}

/** Time to fill an empty bucket, milliseconds. */
export const FILL_MILLIS = 1_000

/** Milliseconds by which a token delays the time at which its bucket is full. */
export const costOf = ({ perSecond }: Taking) => FILL_MILLIS / perSecond

/**
 * The generic cell rate algorithm (GCRA): a bucket's only state is the time at which it will be full. `filling` is the time until then
 * after taking, or what it would be with enough tokens, in milliseconds.
 */
export const bucketOf = ({ perSecond }: Taking, filling: number): Bucket => ({
  remaining: Math.max(0, Math.floor(((FILL_MILLIS - filling) * perSecond) / FILL_MILLIS)),
  fullIn: filling,
  missing: Math.max(0, filling - FILL_MILLIS)
})
