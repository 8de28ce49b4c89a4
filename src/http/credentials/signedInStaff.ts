import { FiberRef } from "effect"
import type { StaffMember } from "../../schemas/access/StaffMember.ts"

/**
 * The signed-in staff member whose page calls the API in process. Only those pages set it, after finding the session; external
 * requests carry their own credential.
 */
export const signedInStaff = FiberRef.unsafeMake<StaffMember | null>(null)
