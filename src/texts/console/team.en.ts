import type { Shape } from "../shape.ts"
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
    reception: "appointments, patients, absences, the waiting list and recalls",
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
    "Remove {name}? Signing in to this practice is then no longer possible. The name stays in the audit log.",
  looked: {
    link: "Who looked at this record?",
    title: "Who looked at the record of {name}?",
    heading: "Accesses, newest first",
    help: "Every access to this person's data and rights, by the interface, too.",
    kinds: {
      admin: "Practice",
      doctor: "Doctor",
      api_key: "API key",
      patient: "Patient",
      operator: "Operator",
      system: "automatic"
    },
    actions: {
      "organisation.patients.one": "looked at",
      "organisation.patients.create": "created",
      "organisation.patients.update": "data changed",
      "doctor.day.patient": "patient card looked at",
      "organisation.consents.list": "consents looked at",
      "organisation.consents.give": "consent recorded",
      "organisation.patient_rights.export": "exported",
      "organisation.patient_rights.restrict": "processing restricted or released"
    }
  }
}
