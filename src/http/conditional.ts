/**
 * Conditional requests: an `ETag` with what is read, `If-Match` with what is changed. Rules 2.6.5 and 2.6.6.
 *
 * A record's tag is a hash of its JSON. A list's tag is one as well, followed by a dot and the list's query, so that the
 * list can be read again when one of its records is changed: either tag holds for the record.
 */
import { Effect, Either, Encoding, Option, Schema } from "effect"
import { PreconditionFailed } from "../schemas/problems.ts"
import { Database } from "../services/database/Database.ts"
import { setTag, uncodedTag } from "./server/compression.ts"

/** Header of PATCH and DELETE. */
export const IfMatch = Schema.Struct({
  "if-match": Schema.optionalWith(Schema.String.pipe(Schema.maxLength(4096)), { exact: true }).annotations({
    description: "An `ETag` that was read: where it does not hold any more the answer is 412 and nothing changes"
  })
})
type IfMatch = typeof IfMatch.Type

const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64url").slice(0, 22)
const tagOfJson = (encoded: unknown) => `"${hash(JSON.stringify(encoded))}"`

/** Tags of one kind of record. */
export const recordTags = <A, I>(schema: Schema.Schema<A, I>) => {
  const encode = Schema.encodeSync(schema)
  const tagOf = (value: A) => tagOfJson(encode(value))
  /** Answers with the record and its tag. */
  const tagged = <B extends A, E, R>(answer: Effect.Effect<B, E, R>) =>
    Effect.tap(answer, (value) => setTag(tagOf(value)))
  return { tagOf, tagged } as const
}

const NoQuery = Schema.Struct({})

/** Tags of one kind of list. */
export const listTags = <
  A,
  I extends { readonly data: ReadonlyArray<unknown> },
  Q = typeof NoQuery.Type,
  QI = typeof NoQuery.Encoded
>(
  schema: Schema.Schema<A, I>,
  // without a second argument Q is what NoQuery decodes to
  querySchema: Schema.Schema<Q, QI> = NoQuery as unknown as Schema.Schema<Q, QI>
) => {
  const encode = Schema.encodeSync(schema)
  const encodeQuery = Schema.encodeSync(querySchema)
  const decodeQuery = Schema.decodeUnknownOption(Schema.parseJson(querySchema))
  const tagOf = (value: A, query: Q) =>
    `"${hash(JSON.stringify(encode(value)))}.${Encoding.encodeBase64Url(JSON.stringify(encodeQuery(query)))}"`
  /** Answers with the list and its tag. */
  const tagged = <E, R>(answer: Effect.Effect<A, E, R>, query: Q) =>
    Effect.tap(answer, (value) => setTag(tagOf(value, query)))
  /** Whether a tag is that of a list which `read` reads now and which has the record with this tag; none where it is not found. */
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

/** Weak tags (`W/…`) hold for no change. */
const MAX_TAGS = 8
const tagsIn = (header: string) => header.split(",", MAX_TAGS).map((tag) => uncodedTag(tag.trim()))

/** What `If-Match` is compared with. All of it is read in the transaction of the change. */
export interface Present<E, R> {
  /** The record's tag. Locks the record, so that it stays as it is until the change. */
  readonly record: Effect.Effect<string, E, R>
  /** Whether a tag is that of a list that the record, by its own tag, is in. */
  readonly isListed: (tag: string, record: string) => Effect.Effect<boolean, never, R>
}

export class Conditional extends Effect.Service<Conditional>()("http/Conditional", {
  effect: Effect.map(Database, ({ transaction }) => {
    const holds = <E, R>(header: string, { record, isListed }: Present<E, R>) =>
      Effect.flatMap(record, (present) => {
        const given = tagsIn(header)
        return given.includes("*") || given.includes(present)
          ? Effect.succeed(true)
          : Effect.exists(given, (tag) => isListed(tag, present))
      })

    /**
     * Changes a record if `If-Match` holds for it, in one transaction with the check; without the header just changes it.
     * Fails with `PreconditionFailed`, and as the reading and the change do.
     */
    const changing = <A, E, R, E2, R2>(
      headers: IfMatch,
      present: Present<E2, R2>,
      change: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | E2 | PreconditionFailed, R | R2> => {
      const header = headers["if-match"]
      if (header === undefined) return change
      return transaction(
        Effect.flatMap(
          holds(header, present),
          (isHeld): Effect.Effect<A, E | PreconditionFailed, R> => (isHeld ? change : new PreconditionFailed())
        )
      )
    }
    return { changing } as const
  }),
  dependencies: [Database.Default]
}) {}
