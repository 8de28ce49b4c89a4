import { Effect, Layer } from "effect"
import { Recall, RecallQuery } from "../../../schemas/scheduling/Recall.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Recalls } from "../../../services/scheduling/recalls/Recalls.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { pagedRecords } from "../../records.ts"

const recallHandling = pagedRecords("recalls", Recall, RecallQuery)

export const RecallsHttp = group("management.recalls", (handlers) =>
  Effect.zipWith(Recalls, Conditional, (service, conditional) => {
    const recalls = recallHandling(service, conditional, holders.key)
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => recalls.list([owner], urlParams))
      )
      .handle("create", (request) => Effect.flatMap(currentOrganisation, (owner) => recalls.create([owner], request)))
      .handle("get", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => service.get(owner, path.recall_uid)).pipe(recalls.tagged)
      )
      .handle("update", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => recalls.update([owner], path.recall_uid, request))
      )
      .handle("remove", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => recalls.remove([owner], path.recall_uid, request))
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Recalls.Default]))
