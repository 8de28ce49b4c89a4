import { Array, Either, JSONSchema, ParseResult, Predicate, Schema } from "effect"
import { midnightOf } from "../birthDate.ts"
import { COUNTRY_CODES } from "../checkout/countryCodes.ts"
import { described, isMailAddress, isText, LATEST, listOf, onOneLine, optional } from "../fields.ts"
import { phoneOf } from "../phone.ts"

const unstorable = { message: () => "must not have U+0000 or halves of surrogate pairs in it" }
/** Text that PostgreSQL can store: no NUL and no unpaired surrogates. */
const storable = Schema.String.pipe(Schema.filter(isText, unstorable))

/** An optional profile value: normalised, on one line, without invisible characters and trimmed; blank and null mean no value. */
const value = (
  description: string,
  maximum: number,
  isValid: (text: string) => boolean = () => true,
  kind = `text of at most ${maximum} characters`,
  tidy: (text: string) => string = onOneLine
) =>
  Schema.optional(
    Schema.transform(
      Schema.NullOr(storable.annotations({ jsonSchema: { type: "string", maxLength: maximum } })),
      Schema.NullOr(
        Schema.String.pipe(
          Schema.filter((text) => text.length <= maximum && isValid(text), {
            message: () => `must be ${kind}`
          })
        )
      ),
      { strict: true, decode: (raw) => (raw === null ? null : tidy(raw) || null), encode: (text) => text }
    ).annotations({ description })
  )

const EARLIEST = -5_364_662_400

/** The UTC date of Unix seconds from 1800 on; other numbers as text, which is no date. */
const dateOf = (seconds: number) =>
  Number.isSafeInteger(seconds) && seconds >= EARLIEST && seconds <= LATEST
    ? new Date(seconds * 1000).toISOString().slice(0, 10)
    : String(seconds)

const A_DATE = "must be a date, YYYY-MM-DD, or Unix seconds"
const birthDate = Schema.optional(
  Schema.transform(
    Schema.NullOr(
      Schema.Union(
        storable.annotations({ jsonSchema: { type: "string", maxLength: 10 } }),
        Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: EARLIEST, maximum: LATEST } })
      ).annotations({ message: () => A_DATE })
    ),
    Schema.NullOr(
      Schema.String.pipe(Schema.filter((text) => midnightOf(text) !== undefined, { message: () => A_DATE }))
    ),
    {
      strict: true,
      decode: (raw) => (raw === null ? null : (typeof raw === "number" ? dateOf(raw) : onOneLine(raw)) || null),
      encode: (text) => text
    }
  ).annotations({ description: "Date, YYYY-MM-DD; also taken as Unix seconds" })
)

const like = (pattern: RegExp) => (text: string) => pattern.test(text)

/** The name of a profile field: a known one, or any other name of this form, whose value is stored as sent. */
export const ProfileFieldKey = Schema.String.pipe(
  Schema.pattern(/^[a-z][a-z0-9_]{0,63}$/, {
    message: () => "must be a lower-case name of at most 64 letters, digits and underscores",
    jsonSchema: { pattern: "^[a-z][a-z0-9_]{0,63}$", maxLength: 64 }
  })
)

/** JSON that PostgreSQL's `jsonb` accepts: without NUL and unpaired surrogates. */
const FreeValue = Schema.Unknown.pipe(
  Schema.filter((json) => !/(?<!\\)(\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/.test(JSON.stringify(json) ?? ""), unstorable)
)

/** Rule 1.6.4. */
export const MAX_PROFILE_FIELDS = 64
export const MAX_PROFILE_BYTES = 65_536
const tooMany = { message: () => `must have at most ${MAX_PROFILE_FIELDS} fields` }

/** Bytes of JSON. A number in exponent notation counts as 330 bytes, the most digits that PostgreSQL writes it with. */
const storedBytes = (profile: unknown) =>
  Buffer.byteLength(
    JSON.stringify(profile, (_, one) => (Predicate.isNumber(one) && String(one).includes("e") ? "0".repeat(330) : one))
  )

const known = Schema.Struct({
  first_name: value("Given name", 255),
  last_name: value("Family name", 255),
  email: value("Mail address", 320, isMailAddress, "an e-mail address of at most 320 characters"),
  phone: value(
    "Telephone number",
    40,
    (text) => phoneOf(text) !== undefined,
    "a telephone number of at most 40 characters",
    (text) => phoneOf(text) ?? onOneLine(text)
  ),
  date_of_birth: birthDate,
  gender: value("male, female or divers", 32, like(/^(male|female|divers)$/), "male, female or divers", (text) =>
    onOneLine(text)
      .toLowerCase()
      .replace(/^diverse$/, "divers")
  ),
  street: value("Street and house number", 255),
  city: value("City", 255),
  zip: value("Postal code", 32),
  country_code: value(
    "ISO 3166 code of two letters, e.g. DE",
    2,
    (text) => COUNTRY_CODES.has(text),
    "an ISO 3166 code of two letters, e.g. DE",
    (text) => onOneLine(text).toUpperCase()
  ),
  insurance_kind: value(
    "statutory, private or self_pay",
    32,
    like(/^(statutory|private|self_pay)$/),
    "statutory, private or self_pay",
    (text) => onOneLine(text).toLowerCase()
  ),
  insurance_number: value("Number of the insured person", 64),
  insurance_carrier: value("Name of the insurance", 255),
  language: value(
    "Language tag; messages are in it where the pages are, else in English",
    35,
    like(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/),
    "a language tag, e.g. de"
  )
})

const { $schema: _, ...knownFields } = JSONSchema.make(known, { target: "openApi3.1" })

const documented = {
  identifier: "PatientProfile",
  jsonSchema: {
    ...knownFields,
    description: "Known fields, and the partner's own under names of lower-case letters, digits and underscores",
    additionalProperties: true,
    maxProperties: MAX_PROFILE_FIELDS,
    examples: [{ first_name: "Ada", last_name: "Example", email: "ada@example.org", language: "en" }]
  }
}

/**
 * A patient's profile: the known fields are validated, other fields are stored as sent. Decoding fails if a known
 * field has an invalid value. Section 1.6.
 */
export const PatientProfile = Schema.Struct(known.fields, { key: ProfileFieldKey, value: FreeValue }).pipe(
  Schema.filter((profile) => Object.keys(profile).length <= MAX_PROFILE_FIELDS, tooMany),
  Schema.filter((profile) => storedBytes(profile) <= MAX_PROFILE_BYTES, {
    message: () => "must be at most 64 KiB of JSON",
    ...documented
  })
)
export type PatientProfile = typeof PatientProfile.Type

/** A stored profile: it was validated when it was written, and every write validates the whole profile. */
export const StoredProfile = Schema.declare(
  (profile: unknown): profile is PatientProfile => Predicate.isRecord(profile),
  documented
)

/** Whether a partner's value of this field can be used. */
const isUsable = (field: string, given: unknown) =>
  Object.hasOwn(known.fields, field)
    ? Either.isRight(decodeKnown({ [field]: given }))
    : Either.isRight(decodeFree(given))
const decodeKnown = Schema.decodeUnknownEither(known)
/** The profile with this value alone; none where it cannot be used. */
export const profileWith = (field: string, given: string) => Either.getRight(decodeKnown({ [field]: given }))
const decodeProfile = ParseResult.decodeUnknown(PatientProfile)
const decodeFree = Schema.decodeUnknownEither(FreeValue)

/** The profile of a partner's fields, and the names of those whose values cannot be used: they are left out. Rule 1.6.5. */
export interface SentProfile {
  readonly profile: PatientProfile
  readonly ignored: ReadonlyArray<string>
}

/** Profile fields as partners send them, decoded to a profile; of several with one name the last applies. */
export const ProfileFields = Schema.transformOrFail(
  listOf(
    Schema.Struct({
      field: ProfileFieldKey,
      value: Schema.Unknown.annotations({
        description: "The field's value; text, unless the field is one of the partner's own"
      }).pipe(Schema.filter((given) => given !== undefined, { message: () => "is required" })),
      source: described(optional(Schema.Literal("shop")), "Where the value comes from")
    }),
    { max: MAX_PROFILE_FIELDS }
  ),
  Schema.declare((sent: unknown): sent is SentProfile => Predicate.isRecord(sent)),
  {
    strict: true,
    decode: (fields, options) => {
      const sent = Object.entries(Object.fromEntries(fields.map(({ field, value }) => [field, value])))
      const [ignored, usable] = Array.partition(sent, ([field, value]) => isUsable(field, value))
      return ParseResult.map(decodeProfile(Object.fromEntries(usable), options), (profile) => ({
        profile,
        ignored: ignored.map(([field]) => field)
      }))
    },
    encode: ({ profile }) =>
      ParseResult.succeed(Object.entries(profile).map(([field, given]) => ({ field, value: given ?? null })))
  }
)

export const NOTHING_SENT: SentProfile = { profile: {}, ignored: [] }
