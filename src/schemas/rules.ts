/** Validation rules across several fields of a body. */
import { JSONSchema, ParseResult, Predicate, Schema } from "effect"
import { ChecksMore } from "./compiled.ts"
import { listingFaults } from "./faults.ts"
import type { Fault } from "./problems.ts"

/** A body as sent, not yet validated. */
export type Sent = Readonly<Record<string, unknown>>

/** A rule returns its errors by field. It ignores values of unexpected types. */
export type Rule = (sent: Sent) => ReadonlyArray<Fault>

/** An object that is made when it is first read: after start, when the lists that it names are complete. */
const onUse = (make: () => object): object => {
  let made: object | undefined
  const get = () => {
    made ??= make()
    return made
  }
  return new Proxy(
    {},
    {
      get: (_, key) => Reflect.get(get(), key),
      has: (_, key) => Reflect.has(get(), key),
      ownKeys: () => Reflect.ownKeys(get()),
      getOwnPropertyDescriptor: (_, key) => ({ ...Reflect.getOwnPropertyDescriptor(get(), key), configurable: true })
    }
  )
}

/**
 * A body or query with rules across its fields. The rules run even if single fields are invalid, so that a caller gets all
 * errors at once; a plain filter would run only if all fields were valid.
 */
export const withRules = <A, I>(self: Schema.Schema<A, I>, rules: ReadonlyArray<Rule>): Schema.Schema<A, I> => {
  const jsonSchema = onUse(() => {
    const { $schema: _, ...made } = JSONSchema.make(self, { target: "openApi3.1" })
    return made
  })
  return Schema.declare(
    [self],
    {
      decode: (inner) => (input, options, ast) => {
        const decoded = ParseResult.decodeUnknownEither(inner)(input, { ...options, errors: "all" })
        const sent = Predicate.isRecord(input) ? input : {}
        const broken = rules.flatMap((rule) =>
          rule(sent).map(
            ({ field, message }) => new ParseResult.Pointer(field, input, new ParseResult.Type(ast, input, message))
          )
        )
        const [first, ...rest] = [...(decoded._tag === "Left" ? [decoded.left] : []), ...broken]
        if (first !== undefined) return ParseResult.fail(new ParseResult.Composite(ast, input, [first, ...rest]))
        return decoded
      },
      encode: (inner) => (value, options) => ParseResult.encodeUnknown(inner)(value, options)
    },
    { ...listingFaults, jsonSchema, [ChecksMore]: true }
  )
}

/**
 * A query with rules across its fields, checked after each field is valid: parameters are derived from the
 * struct, which the schema above would hide.
 */
export const withQueryRules = <A extends Sent, I>(self: Schema.Schema<A, I>, rules: ReadonlyArray<Rule>) =>
  self.pipe(
    Schema.filter((sent) =>
      rules.flatMap((rule) => rule(sent).map(({ field, message }) => ({ path: [field], message })))
    )
  )

/** `end` must be after `start`, if both are sent. */
export const after =
  (start: string, end: string): Rule =>
  ({ [start]: from, [end]: to }) =>
    typeof from === "number" && typeof to === "number" && to <= from
      ? [{ field: end, message: `must be after ${start}` }]
      : []

/** A clear flag cannot be sent together with a value for its field. */
export const clearsAlone =
  (flag: string, field: string): Rule =>
  (sent) =>
    sent[flag] === true && !isAbsent(sent[field])
      ? [{ field: flag, message: `cannot be sent together with ${field}` }]
      : []

/** Null is absence, and so is blank text of an identifier. Rule 2.2.12. */
export const isAbsent = (value: unknown) => value === undefined || value === null || value === ""

/** At most one of two fields may be sent. */
export const notBoth =
  (one: string, other: string): Rule =>
  (sent) =>
    isAbsent(sent[one]) || isAbsent(sent[other])
      ? []
      : [{ field: one, message: `cannot be sent together with ${other}` }]

/** Exactly one of two fields must be sent. */
export const eitherOf =
  (one: string, other: string): Rule =>
  (sent) =>
    isAbsent(sent[one]) && isAbsent(sent[other])
      ? [{ field: one, message: `is required, or ${other}` }]
      : notBoth(one, other)(sent)
