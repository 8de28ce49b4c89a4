import { Effect } from "effect"

/** A list as the body `{data}`. */
export const inData = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.map(self, (data) => ({ data }))
