/** Paginated lists: 0-indexed `page`, `limit`, `totalRegistries`, `totalPages`, and cursors `next` and `after` (Rule 2.5). */
import { ParseResult, Schema } from "effect"
import { body, Count, isText, LATEST, queryInteger, queryTime, withDefault } from "./fields.ts"
import { lookedUp } from "./ids.ts"

/** A place in a list: the values that the list is sorted by, of one row. */
export type Place = ReadonlyArray<string | number | null>

const NO_CURSOR = "is no cursor of this list: send `next` of one of its answers as it is, or leave it out"

/** A place as the opaque text that callers get and send: JSON in base64url. */
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

/** Columns that lists are sorted by. A cursor that a caller made up holds no value that the database refuses. */
export const keys = {
  /** Unix seconds. */
  time: Schema.Int.pipe(Schema.between(0, LATEST)),
  amount: Schema.Int,
  /** Minutes from midnight; -1 is before all of them. */
  minute: Schema.Int.pipe(Schema.between(-1, 1440)),
  text: Schema.String.pipe(Schema.filter(isText))
}

/**
 * `page` (default 0), `limit` (default 50; more than `max` is reduced to `max`, 0 or less is an error) and `after`: the rows
 * behind a place, which stays where it is while rows are added and removed. With both, pages are counted from the place.
 */
export const pageQuery = <P extends Place>(max: number, place: Schema.Schema<P, P>) => ({
  page: withDefault(queryInteger(0, 1_000_000, "0-indexed page; behind `after` where that is sent"), 0),
  limit: withDefault(
    queryInteger(1, Number.MAX_SAFE_INTEGER, `Rows a page; more than ${max} is reduced to ${max}`).pipe(
      Schema.transform(Schema.Number, { strict: true, decode: (n) => Math.min(n, max), encode: (n) => n })
    ),
    Math.min(50, max)
  ),
  after: Schema.optionalWith(cursor(place), { exact: true }).annotations({
    description: "Where to go on: `next` of an earlier answer. Rows that are added meanwhile shift nothing"
  })
})

/** Of the lists of records that change: those that have changed since. Rule 2.5.6. */
export const updatedAfter = {
  updated_after: Schema.optionalWith(queryTime("Changed after, Unix seconds"), { exact: true })
}
/** What a list that comes whole takes. */
export const ListQuery = body(updatedAfter)
export type ListQuery = typeof ListQuery.Type

export interface Page<P extends Place = Place> {
  readonly page: number
  readonly limit: number
  readonly after?: P
}

/** A list that comes whole. */
export const Listed = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ data: Schema.Array(item).annotations({ description: "Every record" }) })

export const Paged = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({
    data: Schema.Array(item).annotations({ description: "The records of the page" }),
    totalRegistries: Count.annotations({ description: "Rows in all pages" }),
    totalPages: Count.annotations({ description: "Pages of `limit` rows, rounded up" }),
    next: Schema.NullOr(Schema.String).annotations({
      description: "Where to go on, for `after`; opaque; null at the end"
    })
  })

/** Rows of a page, how many the whole list has, and the place of the last row of the page while there are more behind it. */
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
