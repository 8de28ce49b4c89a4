import { FiberRef } from "effect"
import type { StaffMember } from "../../services/access/Staff.ts"

/**
 * Who is signed in at the console and asks the interface from within a page. Set by the console alone, once a session has
 * been found; requests from outside bring their own credential.
 */
export const consoleStaff = FiberRef.unsafeMake<StaffMember | null>(null)
