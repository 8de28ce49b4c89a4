/** Where PostgreSQL's notifications are heard: past the pooler where DATABASE_URL_DIRECT names a way, else as all else. */
import { Reactivity } from "@effect/experimental"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { Notifications } from "../services/meetings/MeetingBus.ts"

export const NotificationsLive = Layer.scoped(
  Notifications,
  Effect.gen(function* () {
    const { databaseUrlDirect: url } = yield* Settings
    if (url === undefined) return yield* PgClient.PgClient
    return yield* PgClient.make({ url, maxConnections: 1, applicationName: "sprechstunde notifications" })
  })
).pipe(Layer.provide(Reactivity.layer))
