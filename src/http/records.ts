/** What the handlers of a kind of record do: lists with their tags, creation with an `Idempotency-Key`, changes with `If-Match`. */
import { Effect, identity, type Schema } from "effect"
import { Listed, ListQuery, Paged } from "../schemas/paging.ts"
import type { KeyHolder } from "../services/Idempotency.ts"
import { type Conditional, type IfMatch, listTags, recordTags } from "./conditional.ts"
import { idempotent, type KeyedRequest } from "./idempotent.ts"

/** A service of records; `At` says where they are: in an organisation, or with something of it. */
interface Records<At extends ReadonlyArray<unknown>, Uid, A, Found, Query, New, Changes, E, E2, E3, E4, E5, R> {
  readonly list: (...of: [...At, Query]) => Effect.Effect<Found, E, R>
  readonly findForChange: (...of: [...At, Uid]) => Effect.Effect<A, E2, R>
  readonly create: (...of: [...At, New]) => Effect.Effect<A, E3, R>
  readonly update: (...of: [...At, Uid, Changes]) => Effect.Effect<A, E4, R>
  readonly remove: (...of: [...At, Uid]) => Effect.Effect<void, E5, R>
}

const handling = <A, I, Found, Answer, AnswerI extends { readonly data: ReadonlyArray<unknown> }, Query, QueryI>(
  /** Of the operation that creates one, by which a repeated key is recognised. */
  name: string,
  record: Schema.Schema<A, I>,
  answer: Schema.Schema<Answer, AnswerI>,
  querySchema: Schema.Schema<Query, QueryI>,
  listed: (found: Found) => Answer
) => {
  const tags = recordTags(record)
  const ofList = listTags(answer, querySchema)
  return <At extends ReadonlyArray<unknown>, Uid, New, Changes, E, E2, E3, E4, E5, R, R2>(
    records: Records<At, Uid, A, Found, Query, New, Changes, E, E2, E3, E4, E5, R>,
    { changeIfMatch }: Conditional,
    by: Effect.Effect<KeyHolder, never, R2>
  ) => {
    const answerOf = (at: At, query: Query) => Effect.map(records.list(...at, query), listed)
    const current = (at: At, uid: Uid) => ({
      record: Effect.map(records.findForChange(...at, uid), tags.tagOf),
      isListed: ofList.isCurrent((query) => answerOf(at, query))
    })
    return {
      tagged: tags.tagged,
      list: (at: At, query: Query) => ofList.tagged(answerOf(at, query), query),
      create: (at: At, request: KeyedRequest & { readonly payload: New }) =>
        tags.tagged(idempotent(request, { name, answer: record, by }, records.create(...at, request.payload))),
      update: (at: At, uid: Uid, { headers, payload }: { readonly headers: IfMatch; readonly payload: Changes }) =>
        tags.tagged(changeIfMatch(headers, current(at, uid), records.update(...at, uid, payload))),
      remove: (at: At, uid: Uid, { headers }: { readonly headers: IfMatch }) =>
        changeIfMatch(headers, current(at, uid), records.remove(...at, uid))
    } as const
  }
}

/** Of records that are listed as a whole. */
export const listedRecords = <A, I>(name: string, record: Schema.Schema<A, I>) =>
  handling(name, record, Listed(record), ListQuery, (data: ReadonlyArray<A>) => ({ data }))

/** Of records that are listed page by page. */
export const pagedRecords = <A, I, Query, QueryI>(
  name: string,
  record: Schema.Schema<A, I>,
  query: Schema.Schema<Query, QueryI>
) => {
  const answer = Paged(record)
  return handling(name, record, answer, query, identity<typeof answer.Type>)
}
