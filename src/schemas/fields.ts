/**
 * The value types of bodies, queries and records, each with its unit and its bounds. The message says what to send and
 * never quotes the received value.
 */
import { JSONSchema, Option, ParseResult, Record, Schema, SchemaAST } from "effect"
import { ChecksMore, KeptAsIs } from "./compiled.ts"
import { listingFaults } from "./faults.ts"
import { DAY } from "./seconds.ts"
import { isZone } from "./timeZones.ts"

/** A schema, or a field that may be left out, with what it says in the OpenAPI document. */
export const described = <
  S extends { readonly annotations: (annotations: { readonly description: string }) => unknown }
>(
  schema: S,
  description: string
) => schema.annotations({ description }) as ReturnType<S["annotations"]> // which is of the same type

/** `example` is in the OpenAPI document; the demo data accepts the examples of a body. */
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

/** The JSON Schema of such an integer. */
const bounds = (minimum: number, maximum: number) => ({
  minimum,
  ...(maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
})

/** An integer within inclusive bounds. `unit` becomes the description, e.g. "Minutes before start". */
export const integer = bounded

/** An integer in a response, e.g. a count or an amount in cents. */
export const Count = Schema.Number.pipe(Schema.int())

/** Monday, 8 January 2035, 09:00 in Berlin: a free slot in the demo data. */
export const EXAMPLE_TIME = 2_051_856_000

/** The last second of the year 9999: PostgreSQL supports every time up to it. */
export const LATEST = 253_402_300_799

/** The JSON Schema of a time: whole seconds. */
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

export const MinuteOfDay = bounded(0, 1440, "Minutes from midnight (540 = 09:00)", 540)

/**
 * Euro cents or other minor units, not negative: at most what a storefront's order may have, 100 million euros, so that
 * the sum of 100,000 is exact in JavaScript, and that of 1,000 such lines in the database.
 */
export const Cents = bounded(0, 10_000_000_000, "Minor units of the currency, e.g. cents")

/** A number of minutes, bounded only by the time axis. */
export const Minutes = (what: string) => bounded(0, 52_560_000, what)

/** PostgreSQL cannot store U+0000 or unpaired surrogates. */
export const isText = (text: string) => !text.includes("\u0000") && text.isWellFormed()

/** Measured in code points, as in JSON Schema: an emoji counts as one. */
export const isWithin = (text: string, min: number, max: number) => {
  if (text.length > 2 * max) return false
  const { length } = [...text]
  return length >= min && length <= max
}

/**
 * Control characters other than tab and line breaks, and characters that are not seen, with which a name could imitate another. Those
 * that an orthography needs are kept: joiners (ZWJ, ZWNJ, CGJ), fillers of old Hangul, and variation selectors. U+0000 is kept, so that
 * it is rejected.
 */
const NEEDED = /[\0\t\n\r\u115f\u1160\u180e\p{Join_Control}\p{Variation_Selector}]|\u034f/u
const INVISIBLE = new RegExp(
  `(?!${NEEDED.source})[\\p{Cc}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
  "gu"
)

/** More combining marks in succession than any language uses (Stream-Safe Text Format, UAX #15). */
const LONG_RUN = /\p{M}{31}/u
/** UTF-16 code units; the longest text may have 2,000 characters, and NFC composes four at most to one. */
const NORMALISED_MAX = 16_000
/** NFC. Longer texts and longer runs are returned as they are: sorting a run of marks takes time with its square. */
export const normalised = (text: string) =>
  text.length > NORMALISED_MAX || LONG_RUN.test(text) ? text : text.normalize("NFC")

/** Without invisible characters, which would separate a letter from its marks; then NFC-normalised and trimmed. */
export const tidied = (text: string) => normalised(text.replace(INVISIBLE, "")).trim()

const LINE_BREAKS = /[\t\n\r\u2028\u2029]+/g
/** The same on one line: line breaks become spaces. */
export const onOneLine = (text: string) => tidied(text.replace(LINE_BREAKS, " "))

/** Maximum characters of text entered by a shop or a buyer. */
const WRITTEN = 255
/** Truncated to 255 characters: the sender of a webhook cannot correct a rejected text. */
export const truncate = (text: string) => [...text.slice(0, 2 * WRITTEN)].slice(0, WRITTEN).join("")

/** Text entered by people: normalised, then its length is checked. */
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
  }).annotations({ [KeptAsIs]: true })
}

/** A name: 1 to 255 characters on one line. */
export const Name = trimmed(1, 255, onOneLine).annotations({ examples: ["Example"] })
/** A required reason: 1 to 2000 characters. */
export const Reason = trimmed(1, 2000).annotations({ examples: ["The doctor is ill"] })

/** Optional text of at most 2000 characters; blank becomes null. */
export const OptionalText = Schema.transform(Schema.NullOr(trimmed(0, 2000)), Schema.NullOr(Schema.String), {
  strict: true,
  decode: (s) => (s === null || s === "" ? null : s),
  encode: (s) => s
}).annotations({
  description: "At most 2000 characters; blank counts as none",
  examples: ["Follow-up on blood pressure"],
  [KeptAsIs]: true
})

/** An identifier, key or code as sent: neither trimmed nor normalised. */
export const Opaque = (max = 255) =>
  Schema.String.annotations({
    message: () => `must be text of 1 to ${max} characters`,
    jsonSchema: { maxLength: max }
  }).pipe(
    Schema.filter((s) => isText(s) && isWithin(s, 1, max), {
      message: () => `must be text of 1 to ${max} characters`,
      jsonSchema: { description: `1 to ${max} characters`, minLength: 1, maxLength: max }
    })
  )

/** As `Opaque`, for a segment of paths, which neither slashes nor dot segments can be. Rule 12.1.24. */
export const Segment = Opaque(255).pipe(
  Schema.filter((text) => !/[/\\]|^\.\.?$/.test(text), {
    message: () => "must be text of 1 to 255 characters without / and \\, and neither . nor .."
  })
)

/** Exactly one e-mail address, without characters that could inject mail headers. */
export const isMailAddress = (text: string) => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text) && text.length <= 320
export const MailAddress = Opaque(320).pipe(
  Schema.filter(isMailAddress, {
    message: () => "must be an e-mail address of at most 320 characters",
    jsonSchema: { examples: ["name@example.org"] }
  })
)

/** An identifier that the sender chooses: 1 to 255 characters of any kind. */
export const named = <A extends string>(kind: Schema.Schema<A, string>) => Schema.compose(Opaque(255), kind)

/** Text as sent, or an integer, which is taken as its decimal text: shops number their customers. */
const LATEST_NUMBER = Number.MAX_SAFE_INTEGER - 1
const textOrNumber = Schema.transform(
  Schema.Union(Schema.String, Schema.Number.pipe(Schema.filter(Number.isSafeInteger))).annotations({
    message: () => "must be text of 1 to 255 characters",
    jsonSchema: {
      anyOf: [
        { type: "string", maxLength: 255 },
        { type: "integer", ...bounds(-LATEST_NUMBER, LATEST_NUMBER) }
      ]
    }
  }),
  Schema.String,
  { strict: true, decode: String, encode: (text) => text }
)
/** A shop's identifier of its customer: 1 to 255 characters. Rule 1.5.9. */
export const CustomerId = Schema.compose(textOrNumber, Opaque(255))

/** An IANA time zone, e.g. Europe/Berlin. Offsets such as +02:00 are rejected. */
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

/** An enumeration. */
export const oneOf = <const L extends ReadonlyArray<string>>(...words: L) =>
  Schema.Literal(...words).annotations({ message: () => `must be one of ${words.join(", ")}` })

const enumOf = (words: () => ReadonlyArray<string>) => ({
  get enum() {
    return words()
  }
})

/** One of these words, to which capabilities add at start: they are read on use. */
export const memberOf = <Word extends string>(words: () => ReadonlyArray<Word>): Schema.Schema<Word, string> => {
  const message = () => `must be one of ${words().join(", ")}`
  return Schema.String.annotations({ message }).pipe(
    Schema.filter((text): text is Word => words().some((word) => word === text), { message, jsonSchema: enumOf(words) })
  )
}

/** Such a word of a stored record: also one of a capability that was turned off later, which has no type. */
export const storedMemberOf = <Word extends string>(words: () => ReadonlyArray<Word>): Schema.Schema<Word, string> =>
  Schema.String.pipe(Schema.filter((_text): _text is Word => true, { jsonSchema: enumOf(words) }))

/**
 * A schema that is made on first use: of a list that capabilities add to at start. `identifier` is its name in the OpenAPI document.
 */
export const later = <A, I>(identifier: string, make: () => Schema.Schema<A, I>): Schema.Schema<A, I> =>
  Schema.suspend(() => make().annotations({ identifier })).annotations({ identifier })

/** A body: all errors are reported, not only the first; unknown fields are ignored. */
export const body = <F extends Schema.Struct.Fields>(fields: F) => Schema.Struct(fields).annotations(listingFaults)

const EXAMPLE = Symbol.for("schemas/fields/example")

/** A body with an example as sent, for bodies whose fields' examples do not fit together. */
export const withExample = <S extends Schema.Schema.AnyNoContext>(schema: S, example: Schema.Schema.Encoded<S>) =>
  schema.annotations({ [EXAMPLE]: example }) as Schema.Annotable.Self<S> // the type that `annotations` returns for any schema

/** The example that `withExample` set on a body, also below rules across fields. */
export const exampleIn = (ast: SchemaAST.AST): unknown =>
  ast.annotations[EXAMPLE] ??
  (SchemaAST.isDeclaration(ast) && ast.typeParameters[0] !== undefined ? exampleIn(ast.typeParameters[0]) : undefined)

/** Annotation of identifiers: blank text of an optional one is its absence. Rule 2.2.12. */
export const IDENTIFIER = Symbol.for("schemas/fields/identifier")
const isIdentifier = (ast: SchemaAST.AST): boolean =>
  ast.annotations[IDENTIFIER] === true ||
  (SchemaAST.isRefinement(ast) && isIdentifier(ast.from)) ||
  (SchemaAST.isUnion(ast) && ast.types.some(isIdentifier))

/** Whether an optional identifier was sent; null counts if it is a value of the field and may be set. */
const isSent = (nullCounts: boolean) => (value: unknown) => value !== "" && (nullCounts || value !== null)

/** An identifier as sent, which the OpenAPI document describes as it does the identifier. */
const asSent = <A, I>(schema: Schema.Schema<A, I>) => {
  const { $schema: _, ...jsonSchema } = JSONSchema.make(schema, { target: "openApi3.1" })
  return Schema.encodedSchema(schema).annotations({ jsonSchema })
}

const identifierOrNone = <A, I>(schema: Schema.Schema<A, I>) => {
  const sent = asSent(schema)
  const nullCounts = isNullable(sent.ast)
  return Schema.optionalToOptional(
    (nullCounts ? sent : Schema.NullOr(sent)) as Schema.Schema<I | null>,
    schema as Schema.Schema<A, I | null>, // null only where it counts as a value
    { decode: Option.filter(isSent(nullCounts)), encode: (value) => value }
  )
}

const exactly = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { exact: true, nullable: true })

/** An optional field of a POST's body: null is its absence, and so is blank text of an identifier. Rule 2.2.12. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  isIdentifier(schema.ast)
    ? (identifierOrNone(schema as Schema.Schema<A, I>) as unknown as ReturnType<typeof exactly<A, I, R>>)
    : exactly(schema)

/** A field that may be absent, but not null: in queries, headers and responses. */
export const omittable = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** An optional identifier: null and blank text are its absence. `sent` accepts the blank text. */
export const optionalId = <A, I extends string, S extends string | number = string>(
  schema: Schema.Schema<A, I>,
  sent: Schema.Schema<string, S>
) =>
  Schema.optionalToOptional(Schema.NullOr(sent), schema, {
    decode: Option.filter((text): text is I => text !== null && text !== ""),
    encode: (text) => text
  })

export const optionalCustomerId = optionalId(Opaque(255), textOrNumber)

/** The optional reason of a visit: null is its absence, blank text means none. */
export const optionalReason = Schema.optionalToOptional(
  Schema.NullOr(
    Schema.String.annotations({
      message: () => "must be text of at most 2000 characters",
      jsonSchema: { type: "string", maxLength: 2000 }
    })
  ),
  OptionalText,
  { decode: Option.filter((text) => text !== null), encode: (text) => text }
)

const isNullable = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) ? ast.types.some(isNullable) : SchemaAST.isLiteral(ast) && ast.literal === null

/**
 * A partial update: every field is optional, and only sent fields change. Null clears a field whose value may be null, and is the absence
 * of any other, as blank text is of an identifier. Rule 2.2.12.
 */
export const changes = <F extends Schema.Struct.Fields>(fields: F) => {
  const nullable = Record.map(fields, (field) => {
    if (!Schema.isSchema(field)) return field
    if (isIdentifier(field.ast)) return identifierOrNone(field as Schema.Schema.AnyNoContext)
    return isNullable(Schema.encodedSchema(field).ast) ? Schema.optionalWith(field, { exact: true }) : exactly(field)
  })
  return (Schema.Struct(nullable) as unknown as ReturnType<typeof partial<F>>).annotations(listingFaults)
}
const partial = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.partialWith(Schema.Struct(fields), { exact: true })

/** Whether a partial update changes nothing, so that the record and its `updated_at` stay the same. */
export const isNothing = (sent: object) => Object.keys(sent).length === 0

/** A query string: as a body, with integers in decimal digits. */
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

export const queryInteger = (min: number, max: number, unit: string) => written(min, max, unit, bounds(min, max))

/** A time in a query string: Unix seconds. */
export const queryTime = (description: string) => written(0, LATEST, description, unixtime)

/**
 * A list of `min` to `max` entries. The length is checked before any entry is decoded, so that an overlong list
 * costs only its parsing.
 */
export const listOf = <A, I>(
  entry: Schema.Schema<A, I>,
  {
    max,
    min = 0,
    description,
    example
  }: {
    readonly max: number
    readonly min?: number
    readonly description?: string
    readonly example?: ReadonlyArray<NoInfer<I>>
  }
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> => {
  const list = Schema.Array(entry)
  const tooShort = min === 1 ? "must have at least one entry" : `must have at least ${min} entries`
  const tooLong = `must have at most ${max} entries`
  const lengths = {
    ...(min > 0 && { minItems: min }),
    maxItems: max,
    ...(example !== undefined && { examples: [example] })
  }
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
    // the JSON Schema of the list of entries: that of a declaration would be empty
    { [SchemaAST.SurrogateAnnotationId]: documented.ast, [ChecksMore]: true }
  )
}

/**
 * An optional field with a default, which the OpenAPI document names; null is its absence, unless the field may be null. An identifier has no
 * default but null, which blank text means too.
 */
export const withDefault = <A, I, R>(schema: Schema.Schema<A, I, R>, value: NoInfer<A>) => {
  const field = isIdentifier(schema.ast)
    ? Schema.optionalWith(unlessBlank(schema as Schema.Schema<A, I>), { default: () => value })
    : isNullable(Schema.encodedSchema(schema).ast)
      ? Schema.optionalWith(schema, { default: () => value })
      : Schema.optionalWith(schema, { default: () => value, nullable: true })
  return field.annotations({ default: value }) as unknown as Defaulted<A, I, R>
}
const unlessBlank = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.transform(asSent(schema), schema, {
    strict: true,
    decode: (value) => (isSent(true)(value) ? value : (null as I)),
    encode: (value) => value
  }).annotations({ [KeptAsIs]: true })
type Defaulted<A, I, R> = ReturnType<typeof defaulted<A, I, R>>
const defaulted = <A, I, R>(schema: Schema.Schema<A, I, R>, value: NoInfer<A>) =>
  Schema.optionalWith(schema, { default: () => value })

const languageMessage = () => "must be a language tag such as de or pt-BR"
/** A language as BCP 47 names it. */
export const LanguageTag = Schema.String.annotations({ message: languageMessage }).pipe(
  Schema.filter((text) => text.length <= 35 && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text), {
    message: languageMessage,
    jsonSchema: { maxLength: 35, pattern: "^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$", examples: ["de"] }
  })
)
