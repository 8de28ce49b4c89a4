/** A separate process, like the server: opens the database, prints its URL, and exits on request. */
import { BunRuntime } from "@effect/platform-bun"
import { Effect } from "effect"
import { embeddedPostgres, embeddedPostgresShared } from "../../src/capabilities/postgres/layers/EmbeddedPostgres.ts"

const { SHARED, FOLDER = "", BINARIES } = process.env
const open = SHARED ? embeddedPostgresShared : embeddedPostgres
const options = { folder: FOLDER, settings: { fsync: "off" }, ...(BINARIES ? { binaries: BINARIES } : {}) }

BunRuntime.runMain(
  Effect.scoped(
    Effect.gen(function* () {
      console.log(`open ${yield* open(options)}`)
      if (!SHARED) return yield* Effect.never
    })
  )
)
