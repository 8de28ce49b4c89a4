import { Effect, Layer } from "effect"
import { Recall, RecallQuery } from "../../../schemas/scheduling/Recall.ts"
import { Recalls } from "../../../services/scheduling/recalls/Recalls.ts"
import { Conditional } from "../../conditional.ts"
import { group } from "../../group.ts"
import { byKey, pagedRecords } from "../../records.ts"

const recallHandling = pagedRecords("recalls", Recall, RecallQuery)

export const RecallsHttp = group("management.recalls", (handlers) =>
  Effect.zipWith(Recalls, Conditional, (service, conditional) => {
    const recalls = recallHandling(service, conditional, byKey, "recall_uid")
    return handlers
      .handle("list", recalls.list)
      .handle("create", recalls.create(service.create))
      .handle("get", recalls.read(service.get))
      .handle("update", recalls.update(service.update))
      .handle("remove", recalls.remove(service.remove))
  })
).pipe(Layer.provide([Recalls.Default]))
