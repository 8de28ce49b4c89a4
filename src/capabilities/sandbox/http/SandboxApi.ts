/** Contract: the sandbox clock, which partners move forward to test later events (only with SANDBOX=true). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { AnyKey } from "../../../http/credentials/credentials.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { body, described, integer, optional, UnixSeconds, withExample } from "../../../schemas/fields.ts"
import { withForms } from "../../../schemas/forms.ts"
import { Invalid } from "../../../schemas/problems.ts"
import { eitherOf, withRules } from "../../../schemas/rules.ts"
import { SandboxNotFound } from "../schemas/SandboxNotFound.ts"
import { ClockKey } from "./ClockKey.ts"

addProblems(404, SandboxNotFound)

const Now = Schema.Struct({ now: UnixSeconds }).annotations({ identifier: "SandboxClock" })

const clockChange = withRules(
  withExample(
    body({
      advance_seconds: optional(integer(0, 253_402_300_799, "Seconds forward", 3600)),
      now: described(optional(UnixSeconds), "Not before the present time")
    }),
    { advance_seconds: 3600 }
  ),
  [eitherOf("advance_seconds", "now")]
)
export const ClockChange = withForms(clockChange, [
  {
    name: "ClockAdvance",
    description: "Moves the clock by a duration",
    required: ["advance_seconds"],
    without: ["now"]
  },
  { name: "ClockTime", description: "Moves the clock to an instant", required: ["now"], without: ["advance_seconds"] }
])

class Clock extends apiGroup(
  "sandbox",
  HttpApiEndpoint.get("read", "/clock")
    .addSuccess(Now)
    .addError(problem(SandboxNotFound))
    .middleware(AnyKey)
    .annotate(OpenApi.Summary, "Read the domain's time"),
  HttpApiEndpoint.post("move", "/clock")
    .setPayload(ClockChange)
    .addSuccess(Now)
    .addError(problem(Invalid, SandboxNotFound))
    .middleware(ClockKey)
    .annotate(OpenApi.Summary, "Move the domain's time forward and run what is then due")
    .annotate(
      OpenApi.Description,
      "Either advance_seconds or now; forward only, at most five years ahead of real time. All replicas follow. Holds expire, reminders are sent, appointments " +
        "finish and webhooks are retried before the response. Tokens are still checked against real time. With SANDBOX_PERMISSION=true the key needs sandbox:clock."
    )
)
  .prefix("/v1/sandbox")
  .annotate(Noun, "SandboxClock")
  .annotate(Recorded, "a clock")
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Moves the service's clock; only with SANDBOX=true") {}

export class SandboxApi extends HttpApi.make("sprechstunde").add(Clock) {}
