import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { ActionLinks } from "../../services/scheduling/appointments/ActionLinks.ts"
import { Api } from "../Api.ts"

const whole = { uninterruptible: true } as const

export const ActionLinksHttp = HttpApiBuilder.group(Api, "patient.action_links", (handlers) =>
  Effect.map(ActionLinks, (links) =>
    handlers
      .handle("context", ({ path }) => links.context(path.code))
      .handle("join", ({ path }) => links.join(path.code), whole)
      .handle("cancel", ({ path, payload }) => links.cancel(path.code, payload.reason), whole)
      .handle("rebook_session", ({ path }) => links.rebookSession(path.code), whole)
  )
)
