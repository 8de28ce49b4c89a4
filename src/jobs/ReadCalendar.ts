import { Effect, Layer } from "effect"
import { BusySources } from "../services/scheduling/calendar/BusySources.ts"
import { worker } from "./worker.ts"

/** Reads one calendar kept elsewhere, after a change or on demand. */
export const ReadCalendar = Layer.unwrapEffect(
  Effect.map(BusySources, ({ read }) =>
    worker("calendar.read", ({ organisation_uid, busy_source_uid }) => read(organisation_uid, busy_source_uid))
  )
).pipe(Layer.provide(BusySources.Default))
