/** A process of its own, as the server is one: opens the database, says its address, and goes when it is asked to. */
import { BunRuntime } from "@effect/platform-bun"
import { Effect } from "effect"
import { embeddedPostgres, embeddedPostgresShared } from "../../src/layers/EmbeddedPostgres.ts"

const { SHARED, FOLDER = "", BINARIES } = process.env
const open = SHARED ? embeddedPostgresShared : embeddedPostgres
const options = { folder: FOLDER, settings: { fsync: "off" }, ...(BINARIES ? { binaries: BINARIES } : {}) }

BunRuntime.runMain(
  Effect.scoped(
    Effect.gen(function* () {
      console.log(`open ${yield* open(options)}`)
      if (!SHARED) yield* Effect.never
    })
  )
)
