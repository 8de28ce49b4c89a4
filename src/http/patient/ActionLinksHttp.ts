import { Effect, Layer } from "effect"
import { ActionLinks } from "../../services/scheduling/appointments/ActionLinks.ts"
import { group } from "../group.ts"

export const ActionLinksHttp = group("patient.action_links", (handlers) =>
  Effect.map(ActionLinks, (links) =>
    handlers
      .handle("context", ({ path }) => links.context(path.code))
      .handle("join", ({ path }) => links.join(path.code))
      .handle("cancel", ({ path, payload }) => links.cancel(path.code, payload.reason))
      .handle("rebook_session", ({ path }) => links.rebookSession(path.code))
  )
).pipe(Layer.provide(ActionLinks.Default))
