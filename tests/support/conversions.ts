import { Schema } from "effect"
import { comparison } from "../../src/schemas/compiled.ts"

/** What each schema makes of its values by itself, made once. */
const conversions = new WeakMap<object, Readonly<Record<"decoded" | "encoded", (value: unknown) => unknown>>>()
const conversionsOf = (schema: Schema.Schema.AnyNoContext) => {
  const known = conversions.get(schema)
  if (known !== undefined) return known
  const made = { decoded: Schema.decodeUnknownSync(schema), encoded: Schema.encodeUnknownSync(schema) }
  conversions.set(schema, made)
  return made
}

/** From now on, whatever a compiled conversion makes is compared with what its schema makes, which also validates it. */
export const compareConversions = () => {
  comparison.compare = (schema, way, value, made) => {
    const expected = conversionsOf(schema)[way](value)
    if (!Bun.deepEquals(made, expected, true))
      throw new Error(`compiled: ${Bun.inspect(made)}, by its schema: ${Bun.inspect(expected)}`)
  }
}
