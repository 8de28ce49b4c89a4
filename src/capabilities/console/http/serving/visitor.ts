import type { Effect } from "effect"
import type { ClientOf } from "../../../shared/http/InProcessApi.ts"
import type { Visitor as StaffVisitor } from "../../../shared/http/pages.ts"
import type { ConsoleTexts } from "../../texts/catalogue.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

/** The typed client of the console's own API. */
export const ownClient = (clientOf: ClientOf) => clientOf(ConsoleApi)
export type OwnClient = Effect.Effect.Success<ReturnType<typeof ownClient>>

/** The arguments of a workspace's page. */
export interface Visitor extends StaffVisitor {
  readonly texts: ConsoleTexts
  readonly consoleApi: OwnClient
}
