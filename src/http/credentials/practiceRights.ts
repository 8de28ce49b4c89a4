/** What each role of a practice may do in the console: permissions of API keys, and single operations beyond them. Rule 1.9.12. */

import type { PracticeRole } from "../../schemas/access/PracticeRole.ts"
import { organisationPermissions, type Permission } from "../../schemas/access/permissions.ts"

interface Rights {
  readonly permissions: ReadonlyArray<Permission>
  /** Operations, or groups of them that end with a full stop, which need a permission that the role does not have. */
  readonly operations: ReadonlyArray<string>
}

/** Every page shows doctors, shops and the practice's zone. */
const read = [
  "organisation.settings.one",
  "organisation.settings.holidays",
  "organisation.shops.list",
  "organisation.doctors.list"
]
/** The day's work: cancelling and moving, absences, recalls. */
const desk = [
  "management.appointment_actions.",
  "management.absences.",
  "management.date_overrides.",
  "management.recalls."
]
const calls = ["scheduling:read", "scheduling:write", "patients:read", "patients:write"] as const

export const practiceRights: Readonly<Record<PracticeRole, Rights>> = {
  owner: { permissions: organisationPermissions, operations: [] },
  reception: { permissions: calls, operations: [...read, ...desk] },
  assistant: { permissions: [...calls, "scheduling:admin", "prescription:read"], operations: read },
  doctor_assistant: {
    permissions: [...calls, "prescription:read", "prescription:external_sign"],
    operations: [...read, ...desk]
  },
  billing: { permissions: ["scheduling:read", "patients:read", "prescription:read"], operations: read },
  read_only: { permissions: ["scheduling:read", "patients:read"], operations: read }
}

/** Whether a role may call an operation, `group.name`, that needs one of these permissions. */
export const mayCall = (role: PracticeRole, operation: string, needed: ReadonlyArray<Permission>) => {
  const { permissions, operations } = practiceRights[role]
  return (
    needed.some((permission) => permissions.includes(permission)) ||
    operations.some((one) => (one.endsWith(".") ? operation.startsWith(one) : operation === one))
  )
}
