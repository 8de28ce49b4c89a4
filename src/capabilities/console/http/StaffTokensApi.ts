/** Contract: access tokens of the installation, for signed-in staff (Rule 1.9.14). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { apiGroup } from "../../../http/apiGroup.ts"
import { problem } from "../../../http/problems.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { TooManyRequests, Unauthenticated } from "../../../schemas/problems.ts"

const StaffToken = Schema.Struct({
  token: Schema.String.annotations({
    description: "Bearer token for /v1/doctor, /v1/admin and /v1/operator; it is not shown again",
    examples: ["stt_…"]
  }),
  expires_at: UnixSeconds
}).annotations({ identifier: "StaffToken" })

export class StaffTokens extends apiGroup(
  "staff.tokens",
  HttpApiEndpoint.post("create", "/v1/staff/tokens")
    .addSuccess(StaffToken, { status: 201 })
    .addError(problem(TooManyRequests, Unauthenticated))
    .annotate(OpenApi.Identifier, "createStaffToken")
    .annotate(OpenApi.Summary, "Make an access token of the console's session")
    .annotate(
      OpenApi.Description,
      "The credential is the session's cookie. The token is valid for 15 minutes, and ends with the session."
    )
)
  .annotate(OpenApi.Title, "Staff: access tokens")
  .annotate(
    OpenApi.Description,
    "Tokens of the installation, for the interfaces of doctors, administrators and operators"
  ) {}
