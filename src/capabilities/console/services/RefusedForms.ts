/**
 * Forms that were refused, with what was typed: the answer to a form is a redirect to the page of its record, which shows them again,
 * also after a reload. Each is sealed, readable by the person who sent it, for an hour. Rule 17.2.12.
 */
import { Effect, Option, Schema } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import { HOUR } from "../../../schemas/seconds.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { done, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { type Place, SecretBox } from "../../../services/sealing/SecretBox.ts"
import { unaudited } from "../../../services/tenancy/Tenancy.ts"
import { newCode } from "../../../services/uid.ts"

const LIFETIME_SECONDS = HOUR

const Refused = Schema.Struct({
  operation: Schema.String,
  code: Schema.String,
  details: Schema.Array(Schema.String)
})

const RefusedForm = Schema.Struct({
  /** Of the answer to the form. */
  status: Schema.Number,
  /** Null: it was not sent yet. */
  problem: Schema.NullOr(Refused),
  /** What was typed, by the fields' names. */
  fields: Schema.ReadonlyMap({ key: Schema.String, value: Schema.Array(Schema.String) })
})
export type RefusedForm = typeof RefusedForm.Type
const Kept = Schema.parseJson(RefusedForm)

/** Sealed for one person: another's address opens nothing. */
const placeOf = (code: string, { kind, uid }: Actor): Place => ({
  table: "refused_forms",
  column: "form_sealed",
  row: [code, kind, uid]
})

export class RefusedForms extends Effect.Service<RefusedForms>()("console/RefusedForms", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const box = yield* SecretBox
    const forms = rowsOf(Schema.Struct({ form_sealed: Schema.String }))

    /** Keeps a form; returns its code for the address of its page. Deletes expired ones. */
    const keep = Effect.fn("RefusedForms.keep")(function* (person: Actor, form: RefusedForm) {
      const now = yield* realNow
      const code = yield* newCode("ref")
      const sealed = yield* box.seal(placeOf(code, person), yield* Effect.orDie(Schema.encode(Kept)(form)))
      yield* unaudited(done(sql`DELETE FROM refused_forms WHERE expires_at < to_timestamp(${now})`))
      yield* unaudited(
        done(sql`INSERT INTO refused_forms (code, form_sealed, expires_at)
          VALUES (${code}, ${sealed}, to_timestamp(${now + LIFETIME_SECONDS}))`)
      )
      return code
    })

    /** The form of this person; none after an hour. */
    const find = Effect.fn("RefusedForms.find")(function* (person: Actor, code: string) {
      const now = yield* realNow
      const found = yield* forms.first(
        sql`SELECT form_sealed FROM refused_forms WHERE code = ${code} AND expires_at > to_timestamp(${now})`
      )
      return yield* Effect.transposeMapOption(found, ({ form_sealed }) =>
        box
          .open(placeOf(code, person), form_sealed)
          .pipe(Effect.flatMap(Schema.decode(Kept)), Effect.sandbox, Effect.option)
      ).pipe(Effect.map(Option.flatten))
    })

    return { keep, find } as const
  })
}) {}
