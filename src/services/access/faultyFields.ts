import { ParseResult } from "effect"

/** Which fields did not decode, without a word of what was in them: fit for logs. */
export const faultyFields = (error: ParseResult.ParseError): string => {
  const fields = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path }) => path.join("."))
  return [...new Set(fields)].join(", ")
}
