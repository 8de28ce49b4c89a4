/** Paginated lists: 0-indexed `page`, `limit`, `totalRegistries`, `totalPages` (Rule 2.5). */
import { Schema } from "effect"
import { Count, queryInteger, withDefault } from "./fields.ts"

/** `page` (default 0) and `limit` (default 50; more than `max` is reduced to `max`, 0 or less is an error). */
export const pageQuery = (max: number) => ({
  page: withDefault(queryInteger(0, 1_000_000, "0-indexed page"), 0),
  limit: withDefault(
    queryInteger(1, Number.MAX_SAFE_INTEGER, `Rows a page; more than ${max} is reduced to ${max}`).pipe(
      Schema.transform(Schema.Number, { strict: true, decode: (n) => Math.min(n, max), encode: (n) => n })
    ),
    Math.min(50, max)
  )
})

export interface Page {
  readonly page: number
  readonly limit: number
}

/** A list that comes whole. */
export const Listed = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ data: Schema.Array(item).annotations({ description: "Every record" }) })

export const Paged = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    data: Schema.Array(item).annotations({ description: "The records of the page" }),
    totalRegistries: Count.annotations({ description: "Rows in all pages" }),
    totalPages: Count.annotations({ description: "Pages of `limit` rows, rounded up" })
  })

export const paged = <A>(data: ReadonlyArray<A>, totalRegistries: number, limit: number) => ({
  data,
  totalRegistries,
  totalPages: Math.ceil(totalRegistries / limit)
})
