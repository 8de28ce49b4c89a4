import { FiberRef } from "effect"

/** For whose request a fiber asks the database: the caller's network. "" is the service's own work, which is not shared out. */
export const currentCaller = FiberRef.unsafeMake("")
