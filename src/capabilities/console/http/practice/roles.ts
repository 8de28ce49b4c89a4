/** The pages of each role of a practice. What a page may do is decided by the operations themselves. */

import type { PracticeRole } from "../../../../schemas/access/PracticeRole.ts"
import type { StaffMember } from "../../../../schemas/access/StaffMember.ts"
import type { AddedPage, PageEntry } from "../../../shared/http/pages.ts"

const settings = ["settings", "texts", "people", "team", "shops", "branding", "access", "webhooks"]
const planning = ["hours", "types", "resources"]

/** Pages that a role does not see: each needs a right that it lacks. */
const hidden: Readonly<Record<PracticeRole, ReadonlyArray<string>>> = {
  owner: [],
  reception: [...settings, ...planning, "prescriptions"],
  assistant: settings,
  doctor_assistant: [...settings, ...planning],
  billing: [...settings, ...planning],
  read_only: [...settings, ...planning, "prescriptions"]
}

/** With the pages that capabilities add. */
export const rolesWith = (added: ReadonlyArray<Pick<AddedPage, "path" | "hiddenFrom">>) => {
  const isHidden = (role: PracticeRole | null, page: string) =>
    role !== null &&
    (hidden[role].includes(page) || added.some(({ path, hiddenFrom }) => path === page && hiddenFrom.includes(role)))
  return {
    pagesOfRole: (entries: ReadonlyArray<PageEntry>, { practice_role }: StaffMember) =>
      entries.filter(([path]) => !isHidden(practice_role, path.slice("/console/practice/".length))),
    /** Whether the person's role sees the page. */
    maySee: (pathname: string, { practice_role }: StaffMember) =>
      !isHidden(practice_role, /^\/console\/practice\/([^/]+)/.exec(pathname)?.[1] ?? "")
  }
}
