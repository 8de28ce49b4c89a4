import { Effect, Layer } from "effect"
import { asKey, mayActForPatients } from "../../../http/credentials/credentials.ts"
import { EventLog } from "../../../services/events/EventLog.ts"
import { group } from "./group.ts"

export const EventsHttp = group("management.events", (handlers) =>
  Effect.map(EventLog, (events) =>
    handlers.handle("feed", ({ urlParams }) =>
      asKey(({ organisation_uid, permissions }) =>
        events.feed(organisation_uid, urlParams, mayActForPatients(permissions))
      )
    )
  )
).pipe(Layer.provide(EventLog.Default))
