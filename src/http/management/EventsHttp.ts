import { Effect, Layer } from "effect"
import type { Permission } from "../../schemas/access/permissions.ts"
import { EventLog } from "../../services/events/EventLog.ts"
import { asKey } from "../credentials/credentials.ts"
import { group } from "../group.ts"

/** Whether a key may see action links, which let their holder act as the patient. Rule 6.5.3. */
export const mayActForPatients = (permissions: ReadonlyArray<Permission>) =>
  permissions.includes("scheduling:write") || permissions.includes("scheduling:admin")

export const EventsHttp = group("management.events", (handlers) =>
  Effect.map(EventLog, (events) =>
    handlers.handle("feed", ({ urlParams }) =>
      asKey(({ organisation_uid, permissions }) =>
        events.feed(organisation_uid, urlParams, mayActForPatients(permissions))
      )
    )
  )
).pipe(Layer.provide(EventLog.Default))
