/** Contract of what the console has in the interface. */
import { HttpApi } from "@effect/platform"
import { StaffInvitations } from "./StaffInvitationsApi.ts"
import { StaffTokens } from "./StaffTokensApi.ts"

export class ConsoleApi extends HttpApi.make("sprechstunde").add(StaffInvitations).add(StaffTokens) {}
