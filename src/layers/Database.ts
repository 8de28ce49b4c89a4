/** The database: DATABASE_URL, otherwise that of a capability under DATA_DIR. */
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { Settings } from "../config.ts"
import { Capabilities, type OwnDatabase } from "../declarations.ts"

/** The URL to connect to. */
export class DatabaseUrl extends Context.Tag("layers/DatabaseUrl")<DatabaseUrl, Redacted.Redacted<string>>() {}

class NoDatabase extends Data.TaggedError("NoDatabase") {
  override get message() {
    return "DATABASE_URL is not set"
  }
}

const locate = (as: keyof OwnDatabase) =>
  Layer.scoped(
    DatabaseUrl,
    Effect.gen(function* () {
      const { databaseUrl, dataDir } = yield* Settings
      if (databaseUrl !== undefined) return databaseUrl
      const database = (yield* Capabilities).on.find((one) => one.database)?.database
      if (database === undefined) return yield* new NoDatabase()
      return Redacted.make(yield* database[as]({ folder: `${dataDir}/postgres` }))
    })
  )

/** For the server, which owns an own database. */
export const DatabaseLive = locate("owned")
/** For short commands, which may run beside a server. */
export const DatabaseShared = locate("shared")
