import type { JsonSchema, Operation } from "./operations.ts"
import { resolved } from "./operations.ts"

/** A marker in requests that tests search for in answers. */
export const CANARY = "canary-7f3a"

/** Names that every object of JavaScript inherits: a table that is indexed by them must not have them. */
export const INHERITED = ["constructor", "__proto__", "toString", "hasOwnProperty"] as const

/** Invalid bodies. */
export const RAW_BODIES: ReadonlyArray<string> = [
  "{",
  "null",
  "[]",
  "1",
  "true",
  `"${CANARY}"`,
  `{"${CANARY}":`,
  `{"a":${CANARY}}`,
  "\ufeff{}",
  "[".repeat(20_000),
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
  `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
  '{"__proto__":{"polluted":true},"constructor":1}'
]

const broken = (before: string, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)])

/** Bytes that are not UTF-8, inside and outside of text. */
export const NOT_UTF8: ReadonlyArray<Uint8Array> = [
  broken("", ""),
  broken('{"reason":"', '"}'),
  broken('{"', '":1}'),
  Buffer.from('{"reason":"M\u00fcller"}', "latin1")
]

/** Placeholder for a number that JSON can express but a double cannot. */
const BEYOND_DOUBLE = `${CANARY} 1e999`
export const written = (body: unknown) => JSON.stringify(body).replaceAll(`"${BEYOND_DOUBLE}"`, "1e999")

/** Invalid values to substitute in a body. */
export const VALUES: ReadonlyArray<unknown> = [
  null,
  true,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  2 ** 64,
  1e308,
  BEYOND_DOUBLE,
  "",
  CANARY,
  `${CANARY}\u0000`,
  "\ud800",
  CANARY.repeat(1000),
  [],
  [CANARY],
  {},
  { [CANARY]: { uid: CANARY } },
  ...INHERITED
]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Bodies with one invalid field at a time, nested ones too; missing parents are taken from the example. */
export const withInvalidField = (schema: JsonSchema, body: unknown, example: unknown): ReadonlyArray<unknown> => {
  const { properties, items, anyOf, oneOf, allOf } = resolved(schema)
  const given = body ?? example
  if (properties !== undefined && isObject(given)) {
    const examples = isObject(example) ? example : {}
    return Object.entries(properties).flatMap(([name, one]) => [
      ...VALUES.map((value) => ({ ...given, [name]: value })),
      ...withInvalidField(one, given[name], examples[name]).map((value) => ({ ...given, [name]: value }))
    ])
  }
  if (items !== undefined && Array.isArray(given)) {
    const [first] = Array.isArray(example) ? example : []
    return [...VALUES.map((value) => [value]), ...withInvalidField(items, given[0], first).map((value) => [value])]
  }
  return (anyOf ?? oneOf ?? allOf ?? []).flatMap((one) => withInvalidField(one, body, example))
}

export const QUERY_VALUES = [
  "",
  CANARY,
  "-1",
  "1.5",
  "1e9",
  "9007199254740993",
  "null",
  "%00",
  "%F0%9F%92%A9",
  "a".repeat(4000),
  ...INHERITED
]

/** Query strings with one invalid parameter at a time, and one that cannot be decoded. */
export const queries = ({ parameters }: Operation): ReadonlyArray<string> => [
  ...parameters
    .filter((one) => one.in === "query")
    .flatMap(({ name }) => [...QUERY_VALUES.map((value) => `${name}=${value}`), `${name}=1&${name}=2`, `${name}[]=1`]),
  "%E0%A4%A=%",
  `${CANARY}=1`
]

/** Path segments, correctly and incorrectly encoded. */
export const SEGMENTS: ReadonlyArray<string> = [
  CANARY,
  "%00",
  `${CANARY}%00`,
  "%E0%A4%A",
  "%",
  "..%2F..%2Fetc",
  "'%20OR%20'1'='1",
  "%F0%9F%92%A9",
  "a".repeat(3000),
  "a".repeat(5000),
  ...INHERITED
]

/** Values of a header that takes a word. */
export const HEADERS: ReadonlyArray<string> = ["", "\u00e4", "x".repeat(255), "x".repeat(256), "x".repeat(6000)]
