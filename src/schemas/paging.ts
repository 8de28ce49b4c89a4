/** Paginated lists: 0-indexed `page`, `limit`, `totalRegistries`, `totalPages`, and cursors `next` and `after` (Rule 2.5). */
import { ParseResult, Schema } from "effect"
import { body, Count, described, isText, LATEST, omittable, queryInteger, queryTime, withDefault } from "./fields.ts"
import { lookedUp } from "./ids.ts"

/** A position in a list: one row's values of the sort columns. */
export type Place = ReadonlyArray<string | number | null>

const NO_CURSOR = "is no cursor of this list: send `next` of one of its answers as it is, or leave it out"

/** A position as an opaque cursor: JSON in base64url. */
const cursor = <P extends Place>(place: Schema.Schema<P, P>) => {
  const decode = Schema.decodeUnknownOption(Schema.compose(Schema.StringFromBase64Url, Schema.parseJson(place)))
  const encode = Schema.encodeSync(Schema.compose(Schema.StringFromBase64Url, Schema.parseJson(place)))
  return Schema.transformOrFail(
    lookedUp(2_048, "Where to go on: `next` of an earlier answer"),
    Schema.typeSchema(place),
    {
      strict: true,
      decode: (text, _, ast) => ParseResult.fromOption(decode(text), () => new ParseResult.Type(ast, text, NO_CURSOR)),
      encode: (place) => ParseResult.succeed(encode(place))
    }
  )
}

/** Sort columns of lists. Their schemas reject values in forged cursors that the database cannot store. */
export const keys = {
  /** Unix seconds. */
  time: Schema.Int.pipe(Schema.between(0, LATEST)),
  amount: Schema.Int,
  /** Minutes from midnight; -1 is before all of them. */
  minute: Schema.Int.pipe(Schema.between(-1, 1440)),
  text: Schema.String.pipe(Schema.filter(isText))
}

/** How many rows an answer has; more than `max` is reduced to `max`. */
export const limitQuery = (max: number, what: string) =>
  withDefault(
    queryInteger(1, Number.MAX_SAFE_INTEGER, `${what}; more than ${max} is reduced to ${max}`).pipe(
      Schema.transform(Schema.Number, { strict: true, decode: (n) => Math.min(n, max), encode: (n) => n })
    ),
    Math.min(50, max)
  )

/**
 * `page` (default 0), `limit` (default 50; more than `max` is reduced to `max`, 0 or less is an error) and `after`: the rows
 * after a position, which is stable while rows are added and removed. With both, pages count from the position.
 */
export const pageQuery = <P extends Place>(max: number, place: Schema.Schema<P, P>) => ({
  page: withDefault(queryInteger(0, 1_000_000, "0-indexed page; behind `after` where that is sent"), 0),
  limit: limitQuery(max, "Rows per page"),
  after: omittable(cursor(place)).annotations({
    description: "Cursor: `next` of an earlier response. Rows added in between shift nothing"
  })
})

/** For lists of mutable records: those changed since. Rule 2.5.6. */
export const updatedAfter = {
  updated_after: omittable(queryTime("Changed after, Unix seconds"))
}
/** The query of a list without pages. */
export const ListQuery = body(updatedAfter)
export type ListQuery = typeof ListQuery.Type

export interface Page<P extends Place = Place> {
  readonly page: number
  readonly limit: number
  readonly after?: P
}

/** A list without pages. */
export const Listed = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ data: described(Schema.Array(item), "Every record") })

/** The same in the form of pages. Rule 2.5.10. */
export const ListedWhole = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    ...Listed(item).fields,
    next: described(Schema.NullOr(Schema.String), "Always null: the list has no further page")
  })

export const Paged = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    data: described(Schema.Array(item), "The records of the page"),
    totalRegistries: described(Count, "Rows in all pages"),
    totalPages: described(Count, "Pages of `limit` rows, rounded up"),
    next: described(Schema.NullOr(Schema.String), "Cursor for `after`; opaque; null at the end")
  })

/** The rows of a page, the total of the list, and the position of the page's last row if more rows follow. */
export interface Found<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number
  readonly limit: number
  readonly last: Place | null
}

const encodeNext = Schema.encodeSync(cursor(Schema.Array(Schema.Union(Schema.String, Schema.Int, Schema.Null))))

export const paged = <A>({ rows, total, limit, last }: Found<A>) => ({
  data: rows,
  totalRegistries: total,
  totalPages: Math.ceil(total / limit),
  next: last === null ? null : encodeNext(last)
})
