import { FiberRef } from "effect"
import type { StaffMember } from "../../services/access/Staff.ts"

/**
 * The signed-in staff member whose console page calls the API in process. Only the console sets it, after finding the
 * session; external requests carry their own credential.
 */
export const consoleStaff = FiberRef.unsafeMake<StaffMember | null>(null)
