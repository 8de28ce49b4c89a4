import { Effect, FiberRef } from "effect"

/** For whose request a fiber asks the database: the caller's network. "" is the service's own work, which is not shared out. */
export const currentCaller = FiberRef.unsafeMake("")

/**
 * Asks in nobody's name what is asked once for all who want to know it: in the line of whoever was first, which their other requests
 * may have filled, all would wait.
 */
export const inNobodysName = Effect.locally(currentCaller, "")
