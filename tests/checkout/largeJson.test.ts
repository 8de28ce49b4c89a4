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
