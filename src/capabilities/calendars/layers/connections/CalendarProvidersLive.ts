/** The providers of this installation's settings. */
import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../../../config.ts"
import { CalendarServers } from "../../services/CalendarServers.ts"
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
    const servers = yield* CalendarServers
    const send = sender(client.execute)
    return {
      microsoft: microsoft(settings.microsoft.apiUrl, send),
      google: google(settings.google.apiUrl, send),
      caldav: caldav(servers),
      granting: (provider) =>
        provider === "microsoft" ? microsoftGranting(settings.microsoft, send) : googleGranting(settings.google, send),
      examine: (url) => Effect.match(servers.examine(url), { onFailure: ({ reason }) => reason, onSuccess: () => null })
    }
  })
)
