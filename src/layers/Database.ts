/** Where the database is: the one that DATABASE_URL names, else one of our own under DATA_DIR. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Settings } from "../config.ts"
import { embeddedPostgres, embeddedPostgresShared } from "./EmbeddedPostgres.ts"

/** The address to connect to. */
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

/** For the server, which owns the embedded database while it runs. */
export const DatabaseLive = locate(embeddedPostgres)
/** For a short command beside a server that may be running. */
export const DatabaseShared = locate(embeddedPostgresShared)
