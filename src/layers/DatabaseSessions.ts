/** Session connections: to DATABASE_URL_DIRECT, which bypasses a pooler, otherwise from the common pool. */
import { Reactivity } from "@effect/experimental"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { DatabaseSessions } from "../services/database/DatabaseSessions.ts"
import { firstConnection } from "./postgres/connecting.ts"
import { clientTo } from "./postgres/hosts.ts"

export const DatabaseSessionsLive = Layer.scoped(
  DatabaseSessions,
  Effect.gen(function* () {
    const { databaseUrlDirect: url } = yield* Settings
    if (url === undefined) return yield* PgClient.PgClient
    yield* firstConnection("DATABASE_URL_DIRECT", url, (client) => client.query("SELECT 1"))
    return yield* PgClient.make({
      ...clientTo(url),
      maxConnections: 4,
      applicationName: "sprechstunde sessions"
    })
  })
).pipe(Layer.provide(Reactivity.layer))
