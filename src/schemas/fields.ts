/**
 * The kinds of value that bodies, queries and records are made of. Each says its unit and its bounds once; the message
 * says what to send and never quotes what was sent.
 */
import { ParseResult, Schema, SchemaAST } from "effect"
import { listingFaults } from "./faults.ts"
import { DAY } from "./seconds.ts"
import { isZone } from "./timeZones.ts"

/** `example` stands in the OpenAPI document; the examples of a body are accepted by the demo world. */
const bounded = (min: number, max: number, unit: string, example = Math.max(min, Math.min(1, max))) => {
  const text =
    max === Number.MAX_SAFE_INTEGER
      ? `must be an integer of at least ${min}`
      : `must be an integer from ${min} to ${max}`
  return Schema.Number.annotations({ message: () => text, jsonSchema: { type: "integer" } }).pipe(
    Schema.filter((n) => Number.isSafeInteger(n) && n >= min && n <= max, {
      message: () => text,
      description: unit,
      examples: [example],
      jsonSchema: bounds(min, max)
    })
  )
}

/** What the OpenAPI document says of such an integer. */
const bounds = (minimum: number, maximum: number) => ({
  minimum,
  ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
})

/** An integer within bounds, both included. `unit` becomes the description, e.g. "Minutes before start". */
export const integer = bounded

/** An integer of an answer, e.g. a count or an amount in cents. */
export const Count = Schema.Number.pipe(Schema.int())

/** Monday, 8 January 2035, 09:00 in Berlin: a free slot in the demo world. */
export const EXAMPLE_TIME = 2_051_856_000

/** The last second of the year 9999: every time up to it is one for PostgreSQL as well. */
export const LATEST = 253_402_300_799

/** What the OpenAPI document says of a time: whole seconds. */
const unixtime = { ...bounds(0, LATEST), format: "unixtime" }

/** Seconds since 1970-01-01T00:00:00Z, up to the year 9999. */
export const UnixSeconds = bounded(0, LATEST, "Unix seconds", EXAMPLE_TIME)
  .annotations({ jsonSchema: unixtime })
  .pipe(Schema.brand("UnixSeconds"))
export type UnixSeconds = typeof UnixSeconds.Type

/** UTC midnight of a calendar date, in Unix seconds (Rule 3.3.1). */
export const UtcMidnight = UnixSeconds.pipe(
  Schema.filter((n) => n % DAY === 0, {
    message: () => "must be a UTC-midnight timestamp, a multiple of 86400",
    description: "UTC midnight of a date, Unix seconds",
    examples: [UnixSeconds.make(EXAMPLE_TIME - (EXAMPLE_TIME % DAY))],
    jsonSchema: { minimum: 0, multipleOf: DAY }
  })
)

/** Minutes from midnight, 0 to 1440 (540 = 09:00). */
export const MinuteOfDay = bounded(0, 1440, "Minutes from midnight (540 = 09:00)", 540)

/**
 * Euro cents and other minor units of one thing, never negative: at most what a storefront's order may say, 100 million euros, so that
 * 100,000 of it are a whole number to everybody, and 1,000 such lines one to the database.
 */
export const Cents = bounded(0, 10_000_000_000, "Minor units of the currency, e.g. cents")

/** A count of minutes with no upper bound but the time axis itself. */
export const Minutes = (what: string) => bounded(0, 52_560_000, what)

/** PostgreSQL cannot hold U+0000, and unpaired surrogates are no text. */
export const isText = (text: string) => !text.includes("\u0000") && text.isWellFormed()

/** Measured in characters as a reader, and JSON Schema, count them: an emoji is one. */
export const isWithin = (text: string, min: number, max: number) => {
  if (text.length > 2 * max) return false
  const { length } = [...text]
  return length >= min && length <= max
}

/**
 * Control characters but tab and line breaks, and characters that turn the direction of text, by which a name could look like
 * another one. The joiners of scripts (ZWJ, ZWNJ) stay. U+0000 stays as well, so that it is refused.
 */
const INVISIBLE = /(?![\0\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu

/** NFC-normalised, without invisible characters and trimmed. */
export const tidied = (text: string) => text.normalize("NFC").replace(INVISIBLE, "").trim()

const LINE_BREAKS = /[\t\n\r\u2028\u2029]+/g
/** The same on one line: what breaks it becomes a space. */
export const onOneLine = (text: string) => tidied(text.replace(LINE_BREAKS, " "))

/** Characters of what a shop or a buyer writes. */
const WRITTEN = 255
/** Its first 255 characters: whoever sends it gets no answer that would have it shortened. */
export const truncate = (text: string) => [...text.slice(0, 2 * WRITTEN)].slice(0, WRITTEN).join("")

/** Text as people type it, made tidy and then measured. */
const trimmed = (min: number, max: number, tidy = tidied) => {
  const text = min > 0 ? `must be text of ${min} to ${max} characters` : `must be text of at most ${max} characters`
  const Inner = Schema.String.annotations({ message: () => text }).pipe(
    Schema.filter((s) => isText(s) && isWithin(s, min, max), {
      message: () => text,
      jsonSchema: { minLength: min, maxLength: max }
    })
  )
  const description = min > 0 ? `${min} to ${max} characters, trimmed` : `At most ${max} characters, trimmed`
  const jsonSchema = { type: "string", description, minLength: min, maxLength: max }
  return Schema.transform(Schema.String.annotations({ message: () => text, jsonSchema }), Inner, {
    strict: true,
    decode: tidy,
    encode: (s) => s
  })
}

/** A name: 1 to 255 characters on one line. */
export const Name = trimmed(1, 255, onOneLine).annotations({ examples: ["Example"] })
/** A reason that must be given: 1 to 2000 characters. */
export const Reason = trimmed(1, 2000).annotations({ examples: ["The doctor is ill"] })

/** Text that may be left out: at most 2000 characters, blank becomes null. */
export const OptionalText = Schema.transform(Schema.NullOr(trimmed(0, 2000)), Schema.NullOr(Schema.String), {
  strict: true,
  decode: (s) => (s === null || s === "" ? null : s),
  encode: (s) => s
}).annotations({
  description: "At most 2000 characters; blank counts as none",
  examples: ["Follow-up on blood pressure"]
})

/** An identifier, key or code as the caller gave it: not trimmed, not normalised. */
export const Opaque = (max = 255) =>
  Schema.String.annotations({ message: () => `must be text of 1 to ${max} characters` }).pipe(
    Schema.filter((s) => isText(s) && isWithin(s, 1, max), {
      message: () => `must be text of 1 to ${max} characters`,
      jsonSchema: { description: `1 to ${max} characters`, minLength: 1, maxLength: max }
    })
  )

/** One address and nothing that a mail's head would take for another. */
export const isMailAddress = (text: string) => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text) && text.length <= 320
export const MailAddress = Opaque(320).pipe(
  Schema.filter(isMailAddress, {
    message: () => "must be an e-mail address of at most 320 characters",
    jsonSchema: { examples: ["name@example.org"] }
  })
)

/** An identifier that its sender chooses: 1 to 255 characters, of any form. */
export const named = <A extends string>(kind: Schema.Schema<A, string>) => Schema.compose(Opaque(255), kind)

/** An IANA zone name, e.g. Europe/Berlin. Offsets such as +02:00 are no zones. */
export const TimeZone = Schema.String.annotations({
  message: () => "must be an IANA time zone, e.g. Europe/Berlin"
}).pipe(
  Schema.filter(isZone, {
    message: () => "must be an IANA time zone, e.g. Europe/Berlin",
    description: "IANA time zone, e.g. Europe/Berlin",
    jsonSchema: { maxLength: 64, examples: ["Europe/Berlin"] }
  }),
  Schema.brand("TimeZone")
)
export type TimeZone = typeof TimeZone.Type

export const Flag = Schema.Boolean.annotations({ message: () => "must be true or false" })

/** One of a few words. */
export const oneOf = <const L extends ReadonlyArray<string>>(...words: L) =>
  Schema.Literal(...words).annotations({ message: () => `must be one of ${words.join(", ")}` })

/** A body: every fault is reported, not only the first; unknown fields are ignored. */
export const body = <F extends Schema.Struct.Fields>(fields: F) => Schema.Struct(fields).annotations(listingFaults)

const EXAMPLE = Symbol.for("schemas/fields/example")

/** A body with an example as it is sent, where its fields' own examples do not fit together. */
export const withExample = <S extends Schema.Schema.AnyNoContext>(schema: S, example: Schema.Schema.Encoded<S>) =>
  schema.annotations({ [EXAMPLE]: example }) as Schema.Annotable.Self<S> // what `annotations` gives for any schema

/** The example that `withExample` has given a body, also below rules across its fields. */
export const exampleIn = (ast: SchemaAST.AST): unknown =>
  ast.annotations[EXAMPLE] ??
  (SchemaAST.isDeclaration(ast) && ast.typeParameters[0] !== undefined ? exampleIn(ast.typeParameters[0]) : undefined)

/** A partial update: every field may be left out, and only those sent change. */
export const changes = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.partialWith(Schema.Struct(fields), { exact: true }).annotations(listingFaults)

/** Whether a partial update changes nothing: the record, the time of its last change included, stays as it is. */
export const isNothing = (sent: object) => Object.keys(sent).length === 0

/** A query string: the same, its integers written as digits. */
export const query = body

const written = (min: number, max: number, unit: string, jsonSchema: object) =>
  Schema.transform(
    Schema.String.annotations({ jsonSchema: { type: "integer", description: unit, ...jsonSchema } }),
    bounded(min, max, unit),
    {
      strict: true,
      decode: (s) => (/^-?\d{1,16}$/.test(s) ? Number(s) : Number.NaN),
      encode: String
    }
  )

/** An integer in a query string. */
export const queryInteger = (min: number, max: number, unit: string) => written(min, max, unit, bounds(min, max))

/** A time in a query string: Unix seconds. */
export const queryTime = (description: string) => written(0, LATEST, description, unixtime)

/**
 * A list of `min` to `max` entries. A list of another length is refused before any entry is decoded, so that a long one
 * costs no more than its parsing.
 */
export const listOf = <A, I>(
  entry: Schema.Schema<A, I>,
  { max, min = 0, description }: { readonly max: number; readonly min?: number; readonly description?: string }
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const list = Schema.Array(entry)
  const tooShort = min === 1 ? "must have at least one entry" : `must have at least ${min} entries`
  const tooLong = `must have at most ${max} entries`
  const lengths = { ...(min > 0 && { minItems: min }), maxItems: max }
  const documented = list.annotations({ jsonSchema: lengths, ...(description !== undefined && { description }) })
  const bounded = <B>(values: unknown, ast: SchemaAST.AST, read: () => B) => {
    if (!Array.isArray(values) || (values.length >= min && values.length <= max)) return read()
    return ParseResult.fail(new ParseResult.Type(ast, values, values.length < min ? tooShort : tooLong))
  }
  return Schema.declare(
    [list],
    {
      decode: (inner) => (values, options, ast) =>
        bounded(values, ast, () => ParseResult.decodeUnknown(inner)(values, options)),
      encode: (inner) => (values, options, ast) =>
        bounded(values, ast, () => ParseResult.encodeUnknown(inner)(values, options))
    },
    // the JSON Schema of a list of these entries: that of a declaration would be empty
    { [SchemaAST.SurrogateAnnotationId]: documented.ast }
  )
}

/** A field that may be left out and then has a value. */
export const withDefault = <A, I, R>(schema: Schema.Schema<A, I, R>, value: NoInfer<A>) =>
  Schema.optionalWith(schema, { default: () => value })
