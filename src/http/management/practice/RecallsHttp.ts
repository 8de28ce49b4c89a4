import { Effect, Layer } from "effect"
import type { OrganisationUid, RecallUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Recall, RecallQuery } from "../../../schemas/scheduling/Recall.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Recalls } from "../../../services/scheduling/recalls/Recalls.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"

const single = recordTags(Recall)
const listed = listTags(Paged(Recall), RecallQuery)

export const RecallsHttp = group("management.recalls", (handlers) =>
  Effect.zipWith(Recalls, Conditional, (recalls, { changeIfMatch }) => {
    const tags = (owner: OrganisationUid, uid: RecallUid) => ({
      record: Effect.map(recalls.findForChange(owner, uid), single.tagOf),
      isListed: listed.isCurrent((query) => recalls.list(owner, query))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          Effect.flatMap(currentOrganisation, (owner) => recalls.list(owner, urlParams)),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "recalls", answer: Recall, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => recalls.create(owner, request.payload))
        ).pipe(single.tagged)
      )
      .handle("get", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => recalls.get(owner, path.recall_uid)).pipe(single.tagged)
      )
      .handle("update", ({ path: { recall_uid: uid }, headers, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, tags(owner, uid), recalls.update(owner, uid, payload))
        ).pipe(single.tagged)
      )
      .handle("remove", ({ path: { recall_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, tags(owner, uid), recalls.remove(owner, uid))
        )
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Recalls.Default]))
