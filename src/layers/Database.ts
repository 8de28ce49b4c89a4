/** The database: DATABASE_URL, otherwise an embedded PostgreSQL under DATA_DIR. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Settings } from "../config.ts"
import { embeddedPostgres, embeddedPostgresShared } from "./EmbeddedPostgres.ts"

/** The URL to connect to. */
export class DatabaseUrl extends Context.Tag("layers/DatabaseUrl")<DatabaseUrl, Redacted.Redacted<string>>() {}

const locate = (embedded: typeof embeddedPostgres | typeof embeddedPostgresShared) =>
  Layer.scoped(
    DatabaseUrl,
    Effect.flatMap(Settings, ({ databaseUrl, dataDir }) =>
      databaseUrl === undefined
        ? Effect.map(embedded({ folder: `${dataDir}/postgres` }), (url) => Redacted.make(url))
        : Effect.succeed(databaseUrl)
    )
  )

/** For the server, which owns the embedded database. */
export const DatabaseLive = locate(embeddedPostgres)
/** For short commands, which may run beside a server. */
export const DatabaseShared = locate(embeddedPostgresShared)
