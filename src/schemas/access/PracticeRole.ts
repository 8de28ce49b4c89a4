/** Roles of a practice's staff (Rule 1.9.11). */
import { oneOf } from "../fields.ts"

export const practiceRoles = ["owner", "reception", "assistant", "doctor_assistant", "billing", "read_only"] as const

export const PracticeRole = oneOf(...practiceRoles).annotations({
  description:
    "What a person may do in the practice's workspace: `owner` everything; the table of roles in Rule 1.9.12 has the others"
})
export type PracticeRole = typeof PracticeRole.Type

/** The role that the provider's claim `roles` names: `admin` is an owner; of several the first in the order above. Null: none. */
export const claimedRole = (roles: ReadonlyArray<string>): PracticeRole | null =>
  roles.includes("admin") ? "owner" : (practiceRoles.find((role) => role !== "owner" && roles.includes(role)) ?? null)
