import type { JsonSchema, Operation } from "./operations.ts"
import { resolved } from "./operations.ts"

/** Stands in what is sent, so that it can be looked for in what comes back. */
export const CANARY = "canary-7f3a"

/** Whole bodies that are none. */
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
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
  '{"__proto__":{"polluted":true},"constructor":1}'
]

/** What to put where something else belongs. */
export const VALUES: ReadonlyArray<unknown> = [
  null,
  true,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  "",
  CANARY,
  `${CANARY}\u0000`,
  "\ud800",
  CANARY.repeat(1000),
  [],
  [CANARY],
  {},
  { [CANARY]: { uid: CANARY } },
  "__proto__"
]

/** Bodies with one field spoilt at a time, nested ones too. */
export const spoilt = (schema: JsonSchema, body: unknown): ReadonlyArray<unknown> => {
  const { properties, items } = resolved(schema)
  if (properties !== undefined && typeof body === "object" && body !== null) {
    return Object.entries(properties).flatMap(([name, one]) => [
      ...VALUES.map((value) => ({ ...body, [name]: value })),
      ...spoilt(one, (body as Record<string, unknown>)[name]).map((value) => ({ ...body, [name]: value }))
    ])
  }
  if (items !== undefined && Array.isArray(body)) return spoilt(items, body[0]).map((value) => [value])
  return []
}

const QUERY_VALUES = [
  "",
  CANARY,
  "-1",
  "1.5",
  "1e9",
  "9007199254740993",
  "null",
  "%00",
  "%F0%9F%92%A9",
  "a".repeat(4000)
]

/** Query strings with one parameter spoilt at a time, and one that no decoder can read. */
export const queries = ({ parameters }: Operation): ReadonlyArray<string> => [
  ...parameters
    .filter((one) => one.in === "query")
    .flatMap(({ name }) => [...QUERY_VALUES.map((value) => `${name}=${value}`), `${name}=1&${name}=2`, `${name}[]=1`]),
  "%E0%A4%A=%",
  `${CANARY}=1`
]

/** What to put into a path: encoded as a client would, or as none should. */
export const SEGMENTS: ReadonlyArray<string> = [
  CANARY,
  "%00",
  `${CANARY}%00`,
  "%E0%A4%A",
  "%",
  "..%2F..%2Fetc",
  "'%20OR%20'1'='1",
  "%F0%9F%92%A9",
  "a".repeat(3000)
]
