/**
 * The fields of a form that was refused, sealed in the address of the page that shows it again: the answer to a form is a redirect, and
 * what was entered must neither be lost nor be readable in histories and logs. Rule 5.8.7.
 */
import { Effect, Option, Schema } from "effect"
import { MINUTE } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { type Place, SecretBox } from "../sealing/SecretBox.ts"

const LIFETIME = 15 * MINUTE
/** Characters of an address that every proxy accepts; the fields of a longer form are not kept. */
const LENGTH_MAX = 4_000

const Kept = Schema.parseJson(
  Schema.Struct({ until: Schema.Number, fields: Schema.Record({ key: Schema.String, value: Schema.String }) })
)

const placeOf = (form: string): Place => ({ table: "kept_forms", column: "fields_sealed", row: [form] })

export class KeptForms extends Effect.Service<KeptForms>()("hosted/KeptForms", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const box = yield* SecretBox

    /** Text for an address, which only the page of the same form can read; empty if it were too long. */
    const keep = Effect.fn("KeptForms.keep")(function* (form: string, fields: Readonly<Record<string, string>>) {
      const text = yield* Effect.orDie(Schema.encode(Kept)({ until: (yield* clock.now) + LIFETIME, fields }))
      const sealed = yield* box.seal(placeOf(form), text)
      return sealed.length > LENGTH_MAX ? "" : sealed
    })

    /** The fields; none after 15 minutes, and for a text of another origin, since anybody can alter an address. */
    const read = Effect.fn("KeptForms.read")(function* (form: string, sealed: string) {
      if (sealed === "") return {}
      const now = yield* clock.now
      const opened = box
        .open(placeOf(form), sealed)
        .pipe(Effect.flatMap(Schema.decode(Kept)), Effect.sandbox, Effect.option)
      return Option.match(yield* opened, {
        onNone: (): Readonly<Record<string, string>> => ({}),
        onSome: ({ until, fields }) => (until < now ? {} : fields)
      })
    })

    return { keep, read } as const
  })
}) {}
