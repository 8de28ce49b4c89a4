/** What the handlers of a kind of record do: lists with their tags, creation, changes with `If-Match`. */
import { Effect, identity, type Schema } from "effect"
import type { DoctorUid, OrganisationUid } from "../schemas/ids.ts"
import { Listed, ListedWhole, ListQuery, Paged } from "../schemas/paging.ts"
import { type Conditional, type IfMatch, listTags, recordTags } from "./conditional.ts"
import { CurrentAdmin, CurrentDoctor, currentOrganisation } from "./credentials/credentials.ts"

/** A service of records; `At` says where they are: in an organisation, or with something of it. */
interface Records<At extends ReadonlyArray<unknown>, Uid, V, Found, Query, E, E2, R> {
  readonly list: (...of: [...At, Query]) => Effect.Effect<Found, E, R>
  readonly findForChange: (...of: [...At, Uid]) => Effect.Effect<V, E2, R>
}

/** Where the records of a request are. */
type Whose<In, At extends ReadonlyArray<unknown>, E, R> = (request: In) => Effect.Effect<At, E, R>

interface OfOne<Key extends string, Uid> {
  readonly path: { readonly [_ in Key]: Uid }
}

interface Changing<Key extends string, Uid> extends OfOne<Key, Uid> {
  readonly headers: IfMatch
}

/** In the organisation of the API key. */
export const byKey = () => Effect.map(currentOrganisation, (owner): [OrganisationUid] => [owner])

/** In the organisation of the administrator. */
export const byAdmin = () => Effect.map(CurrentAdmin, ({ organisation_uid }): [OrganisationUid] => [organisation_uid])

/** Of the doctor. */
export const byDoctor = () =>
  Effect.map(CurrentDoctor, ({ organisation_uid, doctor_uid }): [OrganisationUid, DoctorUid] => [
    organisation_uid,
    doctor_uid
  ])

/** With what the path names, in the organisation. */
export const below =
  <Path, Uid, R>(at: Whose<unknown, [OrganisationUid], never, R>, uidOf: (path: Path) => Uid) =>
  (request: { readonly path: Path }) =>
    Effect.map(at(request), ([owner]): [OrganisationUid, Uid] => [owner, uidOf(request.path)])

const handling = <
  V,
  VI,
  Found,
  Listing extends Answer,
  Answer,
  AnswerI extends { readonly data: ReadonlyArray<unknown> },
  Query,
  QueryI
>(
  /** What of a record is hashed for its tag, and of a list. */
  version: Schema.Schema<V, VI>,
  versions: Schema.Schema<Answer, AnswerI>,
  querySchema: Schema.Schema<Query, QueryI>,
  listed: (found: Found) => Listing
) => {
  const tags = recordTags(version)
  const ofList = listTags(versions, querySchema)
  return <At extends ReadonlyArray<unknown>, Uid, In, Key extends string, E, E2, E4, R, R2>(
    records: Records<At, Uid, V, Found, Query, E, E2, R>,
    { changeIfMatch }: Conditional,
    atOf: Whose<In, At, E4, R2>,
    /** Of the path, the uid of the record. */
    key: Key
  ) => {
    const answerOf = (at: At, query: Query) => Effect.map(records.list(...at, query), listed)
    const change = <B, E3, R4, E6, R6>(
      request: In & Changing<Key, Uid>,
      make: (at: At, uid: Uid) => Effect.Effect<B, E3, R4>,
      examined: Effect.Effect<void, E6, R6>
    ) =>
      Effect.flatMap(atOf(request), (at) => {
        const uid = request.path[key]
        const current = {
          record: Effect.map(records.findForChange(...at, uid), tags.tagOf),
          isListed: ofList.isCurrent((query) => answerOf(at, query))
        }
        return Effect.zipRight(examined, changeIfMatch(request.headers, current, make(at, uid)))
      })
    return {
      ...tags,
      list: (request: In & { readonly urlParams: Query }) =>
        Effect.flatMap(atOf(request), (at) => ofList.tagged(answerOf(at, request.urlParams), request.urlParams)),
      create:
        <New, B extends V, E3, R4>(make: (...of: [...At, New]) => Effect.Effect<B, E3, R4>) =>
        (request: In & { readonly payload: New }) =>
          tags.tagged(Effect.flatMap(atOf(request), (at) => make(...at, request.payload))),
      read:
        <B extends V, E3, R4>(find: (...of: [...At, Uid]) => Effect.Effect<B, E3, R4>) =>
        (request: In & OfOne<Key, Uid>) =>
          tags.tagged(Effect.flatMap(atOf(request), (at) => find(...at, request.path[key]))),
      update:
        <Changes, B extends V, E3, R4, E5 = never, R5 = never>(
          make: (...of: [...At, Uid, Changes]) => Effect.Effect<B, E3, R4>,
          /** Before the transaction of the change. */
          examine: (changes: Changes) => Effect.Effect<void, E5, R5> = () => Effect.void
        ) =>
        (request: In & Changing<Key, Uid> & { readonly payload: Changes }) =>
          tags.tagged(change(request, (at, uid) => make(...at, uid, request.payload), examine(request.payload))),
      remove:
        <E3, R4>(make: (...of: [...At, Uid]) => Effect.Effect<void, E3, R4>) =>
        (request: In & Changing<Key, Uid>) =>
          change(request, (at, uid) => make(...at, uid), Effect.void)
    } as const
  }
}

/** Of records that are listed as a whole. */
export const listedRecords = <A extends V, I, Query = ListQuery, QueryI = typeof ListQuery.Encoded, V = A, VI = I>(
  record: Schema.Schema<A, I>,
  // The casts: without the argument Query is the type of ListQuery, and V that of the record
  query: Schema.Schema<Query, QueryI> = ListQuery as unknown as Schema.Schema<Query, QueryI>,
  /** What of a record is hashed for its tag. */
  version: Schema.Schema<V, VI> = record as unknown as Schema.Schema<V, VI>
) => handling(version, Listed(version), query, (data: ReadonlyArray<A>) => ({ data }))

/** The same in the form of pages. */
export const wholeRecords = <A extends V, I, Query = ListQuery, QueryI = typeof ListQuery.Encoded, V = A, VI = I>(
  record: Schema.Schema<A, I>,
  // The casts: as above
  query: Schema.Schema<Query, QueryI> = ListQuery as unknown as Schema.Schema<Query, QueryI>,
  version: Schema.Schema<V, VI> = record as unknown as Schema.Schema<V, VI>
) => handling(version, ListedWhole(version), query, (data: ReadonlyArray<A>) => ({ data, next: null }))

/** Of records that are listed page by page. */
export const pagedRecords = <A, I, Query, QueryI>(record: Schema.Schema<A, I>, query: Schema.Schema<Query, QueryI>) => {
  const answer = Paged(record)
  return handling(record, answer, query, identity<typeof answer.Type>)
}
