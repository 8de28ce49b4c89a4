/** Events of the database under test, decrypted with its master key. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted, Schema } from "effect"
import { UnderMasterKey } from "../../src/layers/keys/KeyWrappingLive.ts"
import { rowsOf } from "../../src/services/database/rows.ts"
import { Envelope } from "../../src/services/sealing/Envelope.ts"
import { make, SecretBox } from "../../src/services/sealing/SecretBox.ts"
import { withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { MASTER_KEY } from "./world.ts"

const Event = Schema.Struct({
  id: Schema.String,
  owner_uid: Schema.String,
  type: Schema.String,
  subject: Schema.String,
  data: Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
})

/** All events of these owners. */
export const eventsOf = (url: string, owners: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { openRows } = yield* Envelope
    const events = rowsOf(Event, openRows("events", ["owner_uid", "id"]))
    return yield* events.all(sql`SELECT id, owner_uid, type, subject, data_encrypted FROM events
      WHERE owner_uid = ANY (${[...owners]})`)
  }).pipe(
    withoutOwner,
    Effect.provide(
      Envelope.Default.pipe(
        Layer.provide(UnderMasterKey),
        Layer.provide(Layer.effect(SecretBox, make(Redacted.make(MASTER_KEY), []))),
        Layer.provideMerge(PgClient.layer({ url: Redacted.make(url) }))
      )
    ),
    Effect.runPromise
  )
