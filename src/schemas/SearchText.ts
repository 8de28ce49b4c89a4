import { Schema } from "effect"
import { isText, isWithin } from "./fields.ts"

/** A substring to search for; an empty one means no filter. */
export const SearchText = (description: string) =>
  Schema.String.annotations({ message: () => "must be text", jsonSchema: { type: "string", description } }).pipe(
    Schema.filter((text) => isText(text) && isWithin(text, 0, 255), {
      message: () => "must be text of at most 255 characters",
      jsonSchema: { description, maxLength: 255 }
    })
  )
