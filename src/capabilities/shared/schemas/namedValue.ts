import { Schema } from "effect"

/** `name=value`, as commands take it. */
export const NamedValue = Schema.transform(
  Schema.String.pipe(Schema.filter((text) => text.indexOf("=") > 0 || "must be name=value")),
  Schema.Tuple(Schema.String, Schema.String),
  {
    strict: true,
    decode: (text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)] as const,
    encode: ([name, value]) => `${name}=${value}`
  }
)
