/** Rules of a body that concern several of its fields. */
import { JSONSchema, ParseResult, Predicate, Schema } from "effect"
import { listingFaults } from "./faults.ts"
import type { Fault } from "./problems.ts"

/** A body as it was sent: nothing of it is known to be right. */
export type Sent = Readonly<Record<string, unknown>>

/** One rule: what is wrong, by field. It looks only at values of the type that it expects. */
export type Rule = (sent: Sent) => ReadonlyArray<Fault>

/**
 * A body or query with rules across its fields. They are checked also when single fields are wrong, so that a caller
 * gets every fault at once; a plain filter would run only once all fields were right. `keywords` are what the OpenAPI document
 * says of the rules.
 */
export const withRules = <A, I>(
  self: Schema.Schema<A, I>,
  rules: ReadonlyArray<Rule>,
  keywords: { readonly minProperties?: number } = {}
): Schema.Schema<A, I> => {
  const { $schema: _, ...jsonSchema } = JSONSchema.make(self, { target: "openApi3.1" })
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
    { ...listingFaults, jsonSchema: { ...jsonSchema, ...keywords } }
  )
}

/**
 * A query with rules across its fields, checked once each of them is right by itself: parameters are read by the shape of
 * the struct, which the schema above would hide.
 */
export const withQueryRules = <A extends Sent, I>(self: Schema.Schema<A, I>, rules: ReadonlyArray<Rule>) =>
  self.pipe(
    Schema.filter((sent) =>
      rules.flatMap((rule) => rule(sent).map(({ field, message }) => ({ path: [field], message })))
    )
  )

/** `end` must lie after `start`, where both are given. */
export const after =
  (start: string, end: string): Rule =>
  ({ [start]: from, [end]: to }) =>
    typeof from === "number" && typeof to === "number" && to <= from
      ? [{ field: end, message: `must be after ${start}` }]
      : []

/** A flag that clears a field cannot come with a value for it. */
export const clearsAlone =
  (flag: string, field: string): Rule =>
  (sent) =>
    sent[flag] === true && sent[field] !== undefined
      ? [{ field: flag, message: `cannot be sent together with ${field}` }]
      : []

/** Exactly one of two fields is sent. */
export const eitherOf =
  (one: string, other: string): Rule =>
  (sent) => {
    if (sent[one] === undefined && sent[other] === undefined)
      return [{ field: one, message: `is required, or ${other}` }]
    return sent[one] === undefined || sent[other] === undefined
      ? []
      : [{ field: one, message: `cannot be sent together with ${other}` }]
  }

/** At least one of some fields is sent. */
export const someOf =
  (...fields: ReadonlyArray<string>): Rule =>
  (sent) =>
    fields.some((field) => sent[field] !== undefined)
      ? []
      : [{ field: "body", message: `must have at least one of ${fields.join(", ")}` }]
