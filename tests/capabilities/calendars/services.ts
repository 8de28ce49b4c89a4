/** Services of this capability that tests call directly (`tests/support/services.ts`). */
import { Layer } from "effect"
import { CalendarProvidersLive } from "../../../src/capabilities/calendars/layers/connections/CalendarProvidersLive.ts"
import { CalendarServersLive } from "../../../src/capabilities/calendars/layers/reading/CalendarServersLive.ts"
import { BusySources } from "../../../src/capabilities/calendars/services/BusySources.ts"
import { CalendarSync } from "../../../src/capabilities/calendars/services/connections/CalendarSync.ts"

export const calendarsServices = Layer.mergeAll(BusySources.Default, CalendarSync.Default).pipe(
  Layer.provide(CalendarProvidersLive),
  Layer.provideMerge(CalendarServersLive)
)
