/** Conversions compiled from schemas equal the schemas' own; every other test compares them, too, with the values that it has. */
import { describe, expect, test } from "bun:test"
import { Arbitrary, FastCheck, Schema } from "effect"
import { decoderOf, encoderOf } from "../../src/schemas/compiled.ts"
import { DoctorUid } from "../../src/schemas/ids.ts"
import { isLong } from "../support/scale.ts"

const Colour = Schema.Literal("red", "green")
const Point = Schema.Struct({ x: Schema.Int, y: Schema.NullOr(Schema.Int) })
const schemas = {
  struct: Schema.Struct({ name: Schema.NonEmptyString, colour: Schema.NullOr(Colour), uid: DoctorUid }),
  optional: Schema.Struct({
    note: Schema.optionalWith(Schema.String, { exact: true }),
    size: Schema.optional(Schema.Int)
  }),
  defaulted: Schema.Struct({ size: Schema.optionalWith(Schema.Int, { default: () => 1 }) }),
  nested: Schema.Struct({ points: Schema.Array(Point), first: Schema.NullOr(Point) }),
  transformed: Schema.Struct({ date: Schema.Date, points: Schema.parseJson(Schema.Array(Point)) }),
  record: Schema.Struct({ sizes: Schema.Record({ key: Schema.String, value: Schema.Int }) }),
  union: Schema.Union(Point, Schema.Struct({ kind: Schema.Literal("none") })),
  tagged: Schema.Struct({
    shape: Schema.Union(
      Schema.Struct({ kind: Schema.Literal("point"), at: Point }),
      Schema.Struct({ kind: Schema.Literal("none"), uid: DoctorUid }),
      Schema.Null
    )
  }),
  tuple: Schema.Tuple(Schema.String, DoctorUid)
} satisfies Readonly<Record<string, Schema.Schema.AnyNoContext>>

const agree = (schema: Schema.Schema<unknown, unknown>, runs: number) =>
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(schema), (value) => {
      const encoded = Schema.encodeSync(schema)(value)
      expect(encoderOf(schema)(value)).toStrictEqual(encoded)
      const given = JSON.parse(JSON.stringify(encoded))
      expect(decoderOf(schema)(given)).toStrictEqual(Schema.decodeUnknownSync(schema)(given))
    }),
    { numRuns: runs }
  )

describe("a compiled conversion equals its schema's", () => {
  for (const [name, schema] of Object.entries(schemas))
    test(name, () => agree(schema as Schema.Schema<unknown>, isLong ? 10_000 : 200))

  test("and leaves out what the schema does not name", () => {
    expect(decoderOf(Point)({ x: 1, y: null, z: 3 })).toStrictEqual({ x: 1, y: null })
    expect(encoderOf(Schema.Array(Point))([Object.assign({ x: 1, y: 2 }, { z: 3 })])).toStrictEqual([{ x: 1, y: 2 }])
  })
})
