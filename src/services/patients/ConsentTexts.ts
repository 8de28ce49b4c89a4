/** Organisations' consent texts; the only writer of their table. Rules 12.5.1 and 12.5.2. */
import { Effect, Schema } from "effect"
import type { UnixSeconds } from "../../schemas/fields.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { ConsentPurpose, ConsentText } from "../../schemas/patients/Consent.ts"
import { invalid } from "../../schemas/problems.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"

const encodedTexts = (texts: ReadonlyArray<ConsentText>) =>
  Effect.orDie(Schema.encode(Schema.parseJson(Schema.Array(ConsentText)))(texts))

export class ConsentTexts extends Effect.Service<ConsentTexts>()("patients/ConsentTexts", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const stored = rowsOf(ConsentText)
    const purposes = rowsOf(Schema.Struct({ purpose: ConsentPurpose }))

    /** The texts in force for which the organisation asks consent. */
    const inForce = (owner: OrganisationUid) =>
      stored.all(sql`SELECT purpose, version, required, texts FROM consent_texts
        WHERE organisation_uid = ${owner} AND in_force ORDER BY purpose`)

    /** Puts these texts in force instead of all others. Fails with `Invalid` for a known version with a different text. */
    const replace = Effect.fn("ConsentTexts.replace")(function* (
      owner: OrganisationUid,
      texts: ReadonlyArray<ConsentText>,
      now: UnixSeconds
    ) {
      const wanted = yield* encodedTexts(texts)
      const [changed] = yield* purposes.all(sql`SELECT t.purpose FROM consent_texts t
        JOIN jsonb_to_recordset(${wanted}::jsonb) AS w(purpose text, version text, texts jsonb) USING (purpose, version)
        WHERE t.organisation_uid = ${owner} AND t.texts <> w.texts`)
      if (changed !== undefined) {
        const at = texts.findIndex(({ purpose }) => purpose === changed.purpose)
        return yield* invalid(
          `consent[${at}].version`,
          "is known with another text: another text needs another version"
        )
      }
      yield* Effect.orDie(sql`UPDATE consent_texts t SET in_force = false WHERE organisation_uid = ${owner} AND in_force
        AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${wanted}::jsonb) AS w(purpose text, version text)
          WHERE (w.purpose, w.version) = (t.purpose, t.version))`)
      yield* Effect.orDie(sql`INSERT INTO consent_texts
          (organisation_uid, purpose, version, texts, required, in_force, created_at)
        SELECT ${owner}, purpose, version, texts, required, true, to_timestamp(${now})
        FROM jsonb_to_recordset(${wanted}::jsonb) AS w(purpose text, version text, texts jsonb, required boolean)
        ON CONFLICT (organisation_uid, purpose, version) DO UPDATE
          SET in_force = true, required = excluded.required
          WHERE NOT consent_texts.in_force OR consent_texts.required <> excluded.required`)
    })

    return { inForce, replace } as const
  })
}) {}
