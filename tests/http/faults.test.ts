import { expect, test } from "bun:test"
import { Either, JSONSchema, Schema } from "effect"
import { manifests } from "../../src/capabilities/index.ts"
import { demoWorld } from "../../src/capabilities/sandbox/services/demo/world.ts"
import { provisioningFile } from "../../src/capabilities/shared/schemas/ProvisioningFile.ts"
import { listsOf } from "../../src/capabilities/shared/services/provisioning/entry.ts"
import { NewPharmacyWebhook } from "../../src/schemas/events/Subscription.ts"
import { faultsOfError } from "../../src/schemas/faults.ts"
import { body, integer, listOf, Name, OptionalText, oneOf, Reason } from "../../src/schemas/fields.ts"
import { AnyUid } from "../../src/schemas/ids.ts"
import { after, withRules } from "../../src/schemas/rules.ts"
import { isLong } from "../support/scale.ts"

const faultsIn = <A, I>(schema: Schema.Schema<A, I>, sent: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(sent), {
    onLeft: (error) => faultsOfError(error),
    onRight: () => []
  })

const Order = withRules(
  body({
    from: integer(0, 9, "From"),
    to: integer(0, 9, "To"),
    kind: oneOf("new", "old"),
    lines: Schema.NonEmptyArray(Schema.Struct({ quantity: integer(1, 5, "Pieces") })),
    note: Schema.optional(Schema.NullOr(Schema.Struct({ text: Schema.String, size: Schema.Literal("S", "M") })))
  }),
  [after("from", "to")]
)
const good = { from: 1, to: 2, kind: "new", lines: [{ quantity: 1 }] }

test("a fault is reported once, at its own path, and an empty list instead of its missing entry", () => {
  const rows: ReadonlyArray<readonly [sent: unknown, ...faults: ReadonlyArray<string>]> = [
    [good],
    [{ ...good, lines: [{ quantity: 1 }, { quantity: 9 }] }, "lines[1].quantity: must be an integer from 1 to 5"],
    [{ ...good, note: { text: 1, size: "L" } }, "note.text: must be text", 'note.size: must be "S" or "M"'],
    [{ ...good, note: 1 }, "note: must be an object or null"],
    [[], "body: must be an object"],
    [{ ...good, lines: [] }, "lines: must have at least one entry"],
    [{ ...good, lines: {} }, "lines: must be a list"],
    [{ from: 1, to: 2, kind: "new" }, "lines: is required"],
    // a field's own faults come before those in combination with another
    [{ ...good, from: 8, to: -1 }, "to: must be an integer from 0 to 9"],
    [{ ...good, from: 8, to: 1 }, "to: must be after from"]
  ]
  expect(rows.map(([sent]) => [sent, ...faultsIn(Order, sent)])).toEqual(rows)
  expect(faultsIn(NewPharmacyWebhook, { url: "https://partner.example/hook", event_types: [] })).toEqual([
    "event_types: must have at least one entry"
  ])
})

// Shows: unbounded lists, with an error for each entry
test("a list that is too long is refused before any entry is decoded", () => {
  let decoded = 0
  const Entry = Schema.String.pipe(Schema.filter(() => ++decoded > 0))
  const Lists = body({ some: listOf(Entry, { max: 2, min: 1 }) })
  expect(faultsIn(Lists, { some: ["a", "b", "c"] })).toEqual(["some: must have at most 2 entries"])
  expect(decoded).toBe(0)
  expect(faultsIn(Lists, { some: [] })).toEqual(["some: must have at least one entry"])
  expect(faultsIn(Lists, { some: "a" })).toEqual(["some: must be a list"])
  expect(faultsIn(Lists, { some: ["a", 1] })).toEqual(["some[1]: must be text"])
  expect(JSONSchema.make(Lists, { target: "openApi3.1" })).toMatchObject({
    properties: { some: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 } }
  })
})

// Shows: unbounded lists, with an error for each entry
test("at most 50 faults are listed, and how many more there are", () => {
  const Lines = body({ lines: Schema.Array(Schema.Struct({ quantity: integer(1, 5, "Pieces") })) })
  const faults = faultsIn(Lines, { lines: Array.from({ length: 400 }, () => ({})) })
  expect([faults.length, faults[0], faults.at(-1)]).toEqual([51, "lines[0].quantity: is required", "and more"])
})

/** The file with one value replaced, for every position. */
const withInvalidField = (value: unknown, bad: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    const [first, ...rest] = value
    return first === undefined ? [] : [bad, ...withInvalidField(first, bad).map((one) => [one, ...rest])]
  }
  if (typeof value !== "object" || value === null) return [bad]
  return Object.entries(value).flatMap(([key, one]) =>
    withInvalidField(one, bad).map((other) => ({ ...value, [key]: other }))
  )
}

test("no fault of a provisioning file contains the schema library's own wording", () => {
  const file = demoWorld()
  const values = [-1.5, "\u0000", {}, [], null, true]
  // in the short run each position has one of the values
  for (const [turn, bad] of values.entries())
    for (const [at, one] of withInvalidField(file, bad).entries()) {
      if (!isLong && at % values.length !== turn) continue
      const decoded = Schema.decodeUnknownEither(provisioningFile(listsOf(manifests())))(one)
      if (Either.isRight(decoded)) continue
      for (const fault of faultsOfError(decoded.left, "file"))
        expect(fault).toMatch(/^[a-z_.[\]0-9]+: (?!Expected|is missing|must be of another form|.*(undefined|readonly))/)
    }
})

test("text that cannot be an identifier is decoded to an unknown one: its record is not found", () => {
  const decoded = ["a\0", "\ud800", "x".repeat(1_000)].map((text) => Schema.decodeSync(AnyUid)(text))
  expect(decoded).toEqual(["a\ufffd", "\ufffd", "x".repeat(511)])
})

// Shows: spoofed names, mail header injection
// Shows: control, bidirectional and invisible characters in names and reasons
test("names keep joiners of their scripts and lose invisible, direction and line-break characters", () => {
  const Named = body({ name: Name, reason: Reason })
  const sent = { name: " A\u202eb\u0007c\r\n\u2066d\u2028e\n", reason: "می\u200cخواهم\nzwei 👩\u200d⚕️" }
  expect(Schema.decodeSync(Named)(sent)).toEqual({ name: "Abc d e", reason: "می\u200cخواهم\nzwei 👩\u200d⚕️" })
  expect(faultsIn(Named, { ...sent, name: "\u202e" })).toEqual(["name: must be text of 1 to 255 characters"])
  const between = (text: string) => Schema.decodeSync(Named)({ name: `A${text}b`, reason: `A${text}b` })
  for (const hidden of "\u00ad\u17b4\u200b\u2060\u2061\u2064\u206f\u3164\ufeff\uffa0\ufffb\u{1d173}\u{e0001}\u{e0061}")
    expect([hidden, between(hidden)]).toEqual([hidden, { name: "Ab", reason: "Ab" }])
  // joiners, a grapheme joiner, fillers of old Hangul, and selectors of Mongolian, of ideographs and of emoji
  for (const needed of "\u200c\u200d\u034f\u115f\u1160\u180b\u180e\u180f\ufe00\ufe0f\u{e0100}\u{e01ef}")
    expect([needed, between(needed)]).toEqual([needed, { name: `A${needed}b`, reason: `A${needed}b` }])
})

// Shows: texts of combining marks, which take hours to normalise
test("a text with more than 30 combining marks in succession is not normalised, as that would take minutes; Rule 2.2.10", () => {
  const Named = body({ name: Name, reason: OptionalText })
  const marks = (number: number) => `e\u0315\u0301${"\u0327".repeat(number - 2)}`
  const decoded = Schema.decodeSync(Named)
  expect(decoded({ name: marks(30), reason: null }).name).toBe(marks(30).normalize("NFC"))
  expect(decoded({ name: marks(31), reason: null }).name).toBe(marks(31))
  expect(decoded({ name: "e\u202a\u0301", reason: null }).name).toBe("é")
  const divided = `e${`${"\u0327".repeat(30)}\u202a`.repeat(2)}`
  expect(decoded({ name: divided, reason: null }).name).toBe(divided.replaceAll("\u202a", ""))
  const megabyte = `a${"\u0315\u0327".repeat(250_000)}`
  expect(faultsIn(Named, { name: megabyte, reason: megabyte })).toEqual([
    "name: must be text of 1 to 255 characters",
    "reason: must be text of at most 2000 characters"
  ])
})
