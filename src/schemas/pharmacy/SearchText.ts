import { Schema } from "effect"
import { isText } from "../fields.ts"

/** Part of a text to look for; none when empty. */
export const SearchText = (description: string) =>
  Schema.String.annotations({ message: () => "must be text", jsonSchema: { type: "string", description } }).pipe(
    Schema.filter(isText, { message: () => "must be text", jsonSchema: { description } })
  )
