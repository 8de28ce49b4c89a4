/** The pages of each role of a practice. What a page may do is decided by the operations themselves. */
import type { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import type { StaffMember } from "../../../services/access/Staff.ts"
import type { PageEntry } from "../serving/Console.tsx"

const settings = ["settings", "texts", "people", "team", "shops", "branding", "access", "fhir", "webhooks", "audit"]
const planning = ["hours", "holidays", "calendars", "types", "resources"]

/** Pages that a role does not see: each needs a right that it lacks. */
const hidden: Readonly<Record<PracticeRole, ReadonlyArray<string>>> = {
  owner: [],
  reception: [...settings, ...planning, "statistics", "prescriptions"],
  assistant: settings,
  doctor_assistant: [...settings, ...planning, "statistics"],
  billing: [...settings, ...planning, "absences", "waitlist", "recalls"],
  read_only: [...settings, ...planning, "absences", "waitlist", "recalls", "prescriptions", "statistics"]
}

export const pagesOfRole = (entries: ReadonlyArray<PageEntry>, { practice_role }: StaffMember) => {
  const without = practice_role === null ? [] : hidden[practice_role]
  return entries.filter(([path]) => !without.includes(path.slice("/console/practice/".length)))
}

/** Whether the person's role sees the page. */
export const maySee = (pathname: string, { practice_role }: StaffMember) => {
  const [, page = ""] = /^\/console\/practice\/([^/]+)/.exec(pathname) ?? []
  return practice_role === null || !hidden[practice_role].includes(page)
}
