import type { Shape } from "../../../texts/shape.ts"
import type { team as de } from "./team.de.ts"

export const team: Shape<typeof de> = {
  title: "Team",
  people: "Who may sign in",
  help: "Everybody to whom the identity provider gives a role, from their first sign-in, and everybody who was invited. A role that is set here counts instead of the provider's.",
  self: "{name} (you)",
  fromProvider: "role from the identity provider",
  seen: "last signed in {time}",
  expires: "invitation valid until {time}",
  statuses: { invited: "invited", active: "active", removed: "removed" },
  role: "Role",
  roles: {
    owner: "Owner",
    reception: "Reception",
    assistant: "Assistant",
    doctor_assistant: "Doctor's assistant",
    billing: "Billing",
    read_only: "Read only"
  },
  may: {
    owner: "everything, the team, the settings, the interfaces and the audit log included",
    reception: "appointments, patients, absences and the waiting list",
    assistant: "as reception, and hours, types, rooms and statistics",
    doctor_assistant: "as reception, and prescriptions",
    billing: "see appointments, patients, prescriptions and statistics",
    read_only: "see appointments and patients"
  },
  whatMay: "What the roles may do",
  invite: "Invite",
  inviteHelp:
    "You get a link to send to the person. It is valid for seven days and once; with it the person signs in at the identity provider.",
  again: "New invitation link",
  remove: "Remove",
  removeQuestion:
    "Remove {name}? Signing in to this practice is then no longer possible. The name stays in the audit log."
}
