import { Schema } from "effect"
import { isText, isWithin } from "./fields.ts"

/** A substring to search for, of at most so many characters; an empty one means no filter. */
export const SearchText = (description: string, longest = 255) =>
  Schema.String.annotations({ message: () => "must be text", jsonSchema: { type: "string", description } }).pipe(
    Schema.filter((text) => isText(text) && isWithin(text, 0, longest), {
      message: () => `must be text of at most ${longest} characters`,
      jsonSchema: { description, maxLength: longest }
    })
  )
