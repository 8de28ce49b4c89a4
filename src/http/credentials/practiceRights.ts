/** What each role of a practice may do: permissions of API keys, and single operations beyond them. Rule 1.9.12. */

import type { PracticeRole } from "../../schemas/access/PracticeRole.ts"
import { organisationPermissions, type Permission } from "../../schemas/access/permissions.ts"

interface Rights {
  readonly permissions: ReadonlyArray<Permission>
  /** Operations, or groups of them that end with a full stop, which need a permission that the role does not have. */
  readonly operations: ReadonlyArray<string>
}

/** Every page shows doctors, shops and the practice's zone. */
const read = ["organisation.settings.one", "organisation.shops.list", "organisation.doctors.list"]
/** A role with it has the whole day's work. */
const ATTENDS = "management.appointment_actions."
/** The day's work; capabilities add theirs. */
const desk = [ATTENDS, "management.date_overrides."]
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

/** Whether the operation, `group.name`, is one of these, or in one of these groups, which end with a full stop. */
const isAmong = (operation: string, operations: ReadonlyArray<string>) =>
  operations.some((one) => (one.endsWith(".") ? operation.startsWith(one) : operation === one))

/** Whether a role may call an operation though it lacks its permissions. `ofDesk`: what capabilities add to the day's work. */
export const mayCall = (role: PracticeRole, operation: string, ofDesk: ReadonlyArray<string>) => {
  const { operations } = practiceRights[role]
  return isAmong(operation, operations) || (operations.includes(ATTENDS) && isAmong(operation, ofDesk))
}
