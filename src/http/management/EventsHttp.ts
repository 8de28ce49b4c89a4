import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { EventLog } from "../../services/events/EventLog.ts"
import { Api } from "../Api.ts"
import { CurrentOrganisationKey } from "../credentials.ts"

export const EventsHttp = HttpApiBuilder.group(Api, "management.events", (handlers) =>
  Effect.map(EventLog, (events) =>
    handlers.handle("feed", ({ urlParams }) =>
      Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid }) => events.feed(organisation_uid, urlParams, true))
    )
  )
).pipe(Layer.provide(EventLog.Default))
