import { Effect, FiberRef } from "effect"

/** The network of the caller whose request a fiber works on, for fair shares of the connections; "" for the service's own work. */
export const currentCaller = FiberRef.unsafeMake("")

/**
 * Runs a query as the service's own. For results that several callers wait for: in the first caller's queue, which that caller may have
 * interpolate, all of them would wait.
 */
export const withoutCaller = Effect.locally(currentCaller, "")
