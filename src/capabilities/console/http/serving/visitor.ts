import type { Visitor as StaffVisitor } from "../../../../http/staff/pages.ts"
import type { ConsoleTexts } from "../../texts/catalogue.ts"

/** The arguments of a workspace's page. */
export interface Visitor extends StaffVisitor {
  readonly texts: ConsoleTexts
}
