/** Origins whose pages may read, in a patient's browser, what needs no secret: those in an organisation's `embed_origins`. */
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"
import { isOrigin } from "./PageHosts.ts"

/** An origin is looked up again after so long: so long one that was taken off the list may still be answered. */
const KEPT_MILLIS = 10_000
const MOST_KEPT = 10_000

export class EmbedOrigins extends Effect.Service<EmbedOrigins>()("hosted/EmbedOrigins", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const listed = rowsOf(Schema.Struct({ listed: Schema.Boolean }))
    const until = new Map<string, number>()

    /** Whether the origin was found on a list within the last seconds. Asks no database. */
    const isKnown = (origin: string) => Effect.map(Clock.currentTimeMillis, (now) => (until.get(origin) ?? 0) > now)

    const find = Effect.fn("EmbedOrigins.find")(function* (origin: string) {
      // of all tenants: a request to search slots names its shop in a body that is not read yet
      const found = yield* listed.one(sql`SELECT is_embed_origin(${origin}) AS listed`)
      if (!found.listed) return false
      if (until.size >= MOST_KEPT) until.clear()
      until.set(origin, (yield* Clock.currentTimeMillis) + KEPT_MILLIS)
      return true
    })

    /** Whether some organisation lists the origin. */
    const allows = (origin: string) =>
      isOrigin(origin)
        ? Effect.flatMap(isKnown(origin), (known) => (known ? Effect.succeed(true) : find(origin)))
        : Effect.succeed(false)

    return { isKnown, allows } as const
  })
}) {}
