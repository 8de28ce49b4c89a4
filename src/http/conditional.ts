/**
 * Conditional requests: `ETag` on reads, `If-Match` on changes. Rules 2.6.5 and 2.6.6.
 *
 * A record's tag is a hash of its JSON. A list's tag is a hash of its JSON, a dot and the list's query, with which the list
 * is read again to validate a change of one of its records. `If-Match` accepts either tag.
 */
import { Effect, Either, Encoding, Option, Schema } from "effect"
import { PreconditionFailed } from "../schemas/problems.ts"
import { Database } from "../services/database/Database.ts"
import type { CurrentTenant } from "../services/tenancy/Tenancy.ts"
import { setTag, uncodedTag } from "./server/compression.ts"

/** Header of PATCH and DELETE. */
export const IfMatch = Schema.Struct({
  "if-match": Schema.optionalWith(Schema.String.pipe(Schema.maxLength(4096)), { exact: true }).annotations({
    description: "An `ETag` that was read before: if it is no longer current the response is 412 and nothing changes"
  })
})
export type IfMatch = typeof IfMatch.Type

const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64url").slice(0, 22)
/** The tag of a record, from its JSON value. */
export const tagOfJson = (encoded: unknown) => `"${hash(JSON.stringify(encoded))}"`

/** Fields that are not of a record's version, since the service changes them by itself, by the last part of the path of their list. */
const unversioned = new Map<string, ReadonlyArray<string>>()
export const addUnversioned = (list: string, fields: ReadonlyArray<string>) => unversioned.set(list, fields)
/** The tag of a record in a list, or below it, at this path. */
export const tagOfListed = (list: string, record: object) => {
  const without = unversioned.get(list.slice(list.lastIndexOf("/") + 1)) ?? []
  return tagOfJson(Object.fromEntries(Object.entries(record).filter(([name]) => !without.includes(name))))
}

/** Tags of one type of record. */
export const recordTags = <A, I>(schema: Schema.Schema<A, I>) => {
  const encode = Schema.encodeSync(schema)
  const tagOf = (value: A) => tagOfJson(encode(value))
  /** Sets the record's tag on the response. */
  const tagged = <B extends A, E, R>(answer: Effect.Effect<B, E, R>) =>
    Effect.tap(answer, (value) => setTag(tagOf(value)))
  return { tagOf, tagged } as const
}

const NoQuery = Schema.Struct({})

/** Tags of one type of list. */
export const listTags = <
  A,
  I extends { readonly data: ReadonlyArray<unknown> },
  Q = typeof NoQuery.Type,
  QI = typeof NoQuery.Encoded
>(
  schema: Schema.Schema<A, I>,
  // The cast: without a second argument Q is the type of NoQuery
  querySchema: Schema.Schema<Q, QI> = NoQuery as unknown as Schema.Schema<Q, QI>
) => {
  const encode = Schema.encodeSync(schema)
  const encodeQuery = Schema.encodeSync(querySchema)
  const decodeQuery = Schema.decodeUnknownOption(Schema.parseJson(querySchema))
  const tagOf = (value: A, query: Q) =>
    `"${hash(JSON.stringify(encode(value)))}.${Encoding.encodeBase64Url(JSON.stringify(encodeQuery(query)))}"`
  /** Sets the list's tag on the response. */
  const tagged = <B extends A, E, R>(answer: Effect.Effect<B, E, R>, query: Q) =>
    Effect.tap(answer, (value) => setTag(tagOf(value, query)))
  /** Whether `tag` is the current tag of a list that contains the record with the tag `record`. False if `read` fails. */
  const isCurrent =
    <E, R>(read: (query: Q) => Effect.Effect<A, E, R>) =>
    (tag: string, record: string) =>
      queryOf(tag).pipe(
        Option.flatMap(decodeQuery),
        Option.match({
          onNone: () => Effect.succeed(false),
          onSome: (query) =>
            Effect.match(read(query), {
              onFailure: () => false,
              onSuccess: (value) =>
                tagOf(value, query) === tag && encode(value).data.some((one) => tagOfJson(one) === record)
            })
        })
      )
  return { tagged, isCurrent } as const
}

const queryOf = (tag: string) =>
  Option.flatMap(Option.fromNullable(/^"[\w-]{22}\.([\w-]+)"$/.exec(tag)?.[1]), (text) =>
    Either.getRight(Encoding.decodeBase64UrlString(text))
  )

/** Tags read from one header. Weak tags (`W/…`) never match. */
const MAX_TAGS = 8
const tagsIn = (header: string) => header.split(",", MAX_TAGS).map((tag) => uncodedTag(tag.trim()))

/** The current tags that `If-Match` is compared with, read in the transaction of the change. */
export interface CurrentTags<E, R> {
  /** The record's tag. Locks the record until the change. */
  readonly record: Effect.Effect<string, E, R>
  /** Whether a tag is the current one of a list that contains the record with this tag. Default: no list has a tag. */
  readonly isListed?: (tag: string, record: string) => Effect.Effect<boolean, never, R>
}

export class Conditional extends Effect.Service<Conditional>()("http/Conditional", {
  effect: Effect.map(Database, ({ transaction }) => {
    const matches = <E, R>(header: string, { record, isListed = () => Effect.succeed(false) }: CurrentTags<E, R>) =>
      Effect.flatMap(record, (current) => {
        const given = tagsIn(header)
        return given.includes("*") || given.includes(current)
          ? Effect.succeed(true)
          : Effect.exists(given, (tag) => isListed(tag, current))
      })

    /**
     * Runs `change` if `If-Match` matches, in one transaction with the check; without the header always. Fails with
     * `PreconditionFailed` and with the errors of the read and the change.
     */
    const changeIfMatch = <A, E, R, E2, R2>(
      headers: IfMatch,
      current: CurrentTags<E2, R2>,
      change: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | E2 | PreconditionFailed, R | R2 | CurrentTenant> => {
      const header = headers["if-match"]
      if (header === undefined) return change
      return transaction(
        Effect.flatMap(
          matches(header, current),
          (isMatch): Effect.Effect<A, E | PreconditionFailed, R> => (isMatch ? change : new PreconditionFailed())
        )
      )
    }
    return { changeIfMatch } as const
  })
}) {}
