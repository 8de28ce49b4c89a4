/** The providers of this installation's settings; CalDAV servers are asked at checked addresses alone. */
import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../../../config.ts"
import { ConfiguredAddresses } from "../../../../services/addresses.ts"
import { CalendarReader } from "../../../../services/scheduling/calendar/CalendarReader.ts"
import { CalendarProviders } from "../../services/connections/CalendarProviders.ts"
import { caldav } from "./caldav.ts"
import { sender } from "./calls.ts"
import { google, googleGranting } from "./google.ts"
import { microsoft, microsoftGranting } from "./microsoft.ts"

export const CalendarProvidersLive = Layer.effect(
  CalendarProviders,
  Effect.gen(function* () {
    const { calendarProviders: settings } = yield* Settings
    const client = yield* HttpClient.HttpClient
    const addresses = yield* ConfiguredAddresses
    const send = sender(client.execute)
    return {
      microsoft: microsoft(settings.microsoft.apiUrl, send),
      google: google(settings.google.apiUrl, send),
      caldav: caldav(sender(addresses.execute), yield* CalendarReader),
      granting: (provider) =>
        provider === "microsoft" ? microsoftGranting(settings.microsoft, send) : googleGranting(settings.google, send),
      examine: (url) =>
        Effect.match(addresses.examine(url), { onFailure: ({ reason }) => reason, onSuccess: () => null })
    }
  })
)
