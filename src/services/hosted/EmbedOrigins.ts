/** CORS for reads without secrets from embedding pages: origins in an organisation's `embed_origins`. */
import { Clock, Effect, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { remember } from "../remember.ts"
import { isOrigin } from "./PageHosts.ts"

/** Lifetime of a cached origin: a removed one may be allowed for this long. */
const CACHED_MILLIS = 10_000

export class EmbedOrigins extends Effect.Service<EmbedOrigins>()("hosted/EmbedOrigins", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const listed = rowsOf(Schema.Struct({ listed: Schema.Boolean }))
    const until = new Map<string, number>()

    /** Whether the origin is cached as listed. Does not query the database. */
    const isKnown = (origin: string) => Effect.map(Clock.currentTimeMillis, (now) => (until.get(origin) ?? 0) > now)

    const find = Effect.fn("EmbedOrigins.find")(function* (origin: string) {
      // of all tenants: a slot search names its shop in its body, which is not read yet
      const found = yield* listed.one(sql`SELECT is_embed_origin(${origin}) AS listed`)
      if (!found.listed) return false
      remember(until, origin, (yield* Clock.currentTimeMillis) + CACHED_MILLIS)
      return true
    })

    /** Whether any organisation lists the origin. */
    const allows = (origin: string) =>
      isOrigin(origin)
        ? Effect.flatMap(isKnown(origin), (known) => (known ? Effect.succeed(true) : find(origin)))
        : Effect.succeed(false)

    return { isKnown, allows } as const
  })
}) {}
