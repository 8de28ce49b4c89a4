import { Effect, FiberRef } from "effect"

/** Network of the caller whose request the fiber handles, for fair sharing of connections; "" for the service's own work. */
export const currentCaller = FiberRef.unsafeMake("")

/**
 * Runs a query as the service's own. For results shared by several callers: in the queue of the first caller, which may be full because
 * of that caller, all of them would wait.
 */
export const withoutCaller = Effect.locally(currentCaller, "")
