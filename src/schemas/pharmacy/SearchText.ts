import { Schema } from "effect"

/** Part of a text to look for; none when empty. PostgreSQL has no U+0000 to be found. */
export const SearchText = Schema.String.annotations({ message: () => "must be text" }).pipe(
  Schema.filter((text) => !text.includes("\u0000") && text.isWellFormed(), { message: () => "must be text" })
)
