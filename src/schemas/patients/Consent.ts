/** Consents of patients, and the texts for which an organisation asks consent. Section 12.5. */
import { Schema } from "effect"
import { body, described, Flag, listOf, Opaque, oneOf, UnixSeconds, withDefault, withExample } from "../fields.ts"
import { ConsentUid, PatientUid } from "../ids.ts"

export const ConsentPurpose = oneOf("data_processing", "video").annotations({
  description: "Purpose of the consent: `data_processing`, the processing of health data; `video`, treatment by video"
})
export type ConsentPurpose = typeof ConsentPurpose.Type

const version = Opaque(64).annotations({
  description: "The text's version, of your choice: another text needs another version",
  examples: ["2026-01"]
})

const Language = Schema.String.annotations({ message: () => "must be a language tag, e.g. de" }).pipe(
  Schema.filter((text) => /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text) && text.length <= 35, {
    message: () => "must be a language tag, e.g. de",
    description: "Language tag, e.g. de",
    examples: ["de"],
    jsonSchema: { maxLength: 35 }
  })
)

const Translation = Schema.Struct({
  language: Language,
  text: Opaque(20_000).annotations({ description: "The text that the patient reads", examples: ["I agree to …"] })
})

/** A text for which the organisation asks consent. */
export const ConsentText = Schema.Struct({
  purpose: ConsentPurpose,
  version,
  required: withDefault(described(Flag, "Whether a patient books by the hosted pages only after agreeing"), true),
  texts: listOf(Translation, {
    min: 1,
    max: 50,
    description: "The text in each language; the first one is for every other language"
  })
})
export type ConsentText = typeof ConsentText.Type

/** A patient's consent, with its times. */
export const Consent = Schema.Struct({
  uid: ConsentUid,
  patient_uid: PatientUid,
  purpose: ConsentPurpose,
  version,
  language: described(Schema.NullOr(Language), "Language of the text that was shown; null: not known"),
  given_at: described(UnixSeconds, "When the patient agreed"),
  withdrawn_at: described(Schema.NullOr(UnixSeconds), "When the patient withdrew it; null: still valid"),
  updated_at: UnixSeconds
}).annotations({ identifier: "Consent" })
export type Consent = typeof Consent.Type

/** A consent to record. */
export const NewConsent = withExample(
  body({
    purpose: ConsentPurpose,
    version,
    language: withDefault(Schema.NullOr(Language), null)
  }),
  { purpose: "video", version: "2026-01", language: "de" }
)
export type NewConsent = typeof NewConsent.Type
