import { expect, test } from "bun:test"
import fc from "fast-check"
import { parseLargeJson } from "../../src/http/admission/largeJson.ts"

const VALUES = 1_000
const bytes = (text: string) => new TextEncoder().encode(text)

test("large JSON parses like any other, however short the extracted strings", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "grapheme" }), fc.nat(12), fc.boolean(), (value, long, spaced) => {
      const text = spaced ? JSON.stringify(value, null, 2) : JSON.stringify(value)
      expect(parseLargeJson(bytes(text), VALUES, long)).toEqual(JSON.parse(text))
    })
  )
  for (const text of ['{"ł":"Żółć é \\/"}', '["\\u00e9é","Ã©"]', '"a\\\\"', '["\\\\\\"", "b"]', '{"a" : "b"}', "null"])
    for (const long of [0, 3]) expect(parseLargeJson(bytes(text), VALUES, long)).toEqual(JSON.parse(text))
})

test("invalid JSON throws", () => {
  for (const text of ["", "{", '{"a":"ł}', "\u0000", '["a" "b"]', '"\n"'])
    expect(() => parseLargeJson(bytes(text), VALUES, 0)).toThrow(SyntaxError)
  for (const text of ['"é"', '{"a":"é"}', '["b", "é", "c"]'])
    for (const long of [0, 100])
      expect(() => parseLargeJson(Buffer.from(text, "latin1"), VALUES, long)).toThrow(TypeError)
})

// Shows: PDFs and large bodies made to exhaust processor or memory
test("what is large and no file is refused before it is parsed, whatever it consists of", () => {
  const MIB = 1024 * 1024
  const filled = (text: string) => `{"a":"${text.repeat(Math.ceil((9 * MIB) / text.length))}"}`
  const hostile = [
    ...["\\u0041", "\\\\", '\\"', '\\\\\\"', "?", "\u0142"].map(filled),
    `[${'"a",'.repeat(3 * MIB)}1]`,
    '"'.repeat(9 * MIB),
    `[${" ".repeat(9 * MIB)}]`,
    `{"a"${" ".repeat(9 * MIB)}:1}`,
    `[${`"${"a".repeat(65_537)}?",`.repeat(150)}1]`
  ]
  for (const text of hostile)
    expect(() => parseLargeJson(Buffer.from(text), 20_000)).toThrow(
      "must have at most 2,097,152 characters besides the files"
    )
  const file = "QUJD".repeat(3 * MIB)
  const around = {
    first: file,
    name: 'a "quoted" \\ text',
    [file.slice(0, 70_000)]: 1,
    escaped: `\n${file.slice(0, 70_000)}`
  }
  expect(parseLargeJson(Buffer.from(JSON.stringify(around)), 20_000)).toEqual(around)
})
