/** A canary: a random text stored encrypted. A process that can decrypt it has the master key of the database's secrets. */
import { Data, Effect, Option, Schema } from "effect"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { type Place, SecretBox } from "./SecretBox.ts"

export class WrongMasterKey extends Data.TaggedError("WrongMasterKey") {
  override get message() {
    return "MASTER_KEY is not the key that this database's secrets are sealed with. Set that key, or, while it is being replaced, name it in MASTER_KEY_PREVIOUS (MASTER_KEY_NEXT before that)"
  }
}

const place: Place = { table: "master_key_canary", column: "canary_sealed", row: ["true"] }

export class MasterKeyCanary extends Effect.Service<MasterKeyCanary>()("services/MasterKeyCanary", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const box = yield* SecretBox
    const canaries = rowsOf(Schema.Struct({ canary_sealed: Schema.String }))

    const find = canaries.first(sql`SELECT canary_sealed FROM master_key_canary`)

    const make = Effect.gen(function* () {
      const text = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")
      yield* Effect.orDie(
        sql`INSERT INTO master_key_canary (canary_sealed) VALUES (${yield* box.seal(place, text)}) ON CONFLICT DO NOTHING`
      )
      return yield* find
    })

    /**
     * The text, created by the first process of a database and never changed. Fails with `WrongMasterKey`; an unavailable database is a
     * defect.
     */
    const open = Effect.gen(function* () {
      const found = yield* find
      const { canary_sealed } = yield* Option.isSome(found) ? found : yield* make
      return yield* Effect.catchAllDefect(box.open(place, canary_sealed), () => Effect.fail(new WrongMasterKey()))
    }).pipe(Effect.catchTag("NoSuchElementException", Effect.die), Effect.withSpan("MasterKeyCanary.open"))
    return { open } as const
  })
}) {}
