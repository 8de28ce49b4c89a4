import { Effect, Layer } from "effect"
import { Resource } from "../../../schemas/scheduling/Resource.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { ResourcePreviews } from "../../../services/scheduling/practice/ResourcePreviews.ts"
import { Resources } from "../../../services/scheduling/practice/Resources.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders } from "../../idempotent.ts"
import { listedRecords } from "../../records.ts"

const resourceHandling = listedRecords("resources", Resource)

export const ResourcesHttp = group("management.resources", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Resources
    const resources = resourceHandling(service, yield* Conditional, holders.key)
    const previews = yield* ResourcePreviews
    return handlers
      .handle("list", ({ urlParams }) =>
        Effect.flatMap(currentOrganisation, (owner) => resources.list([owner], urlParams))
      )
      .handle("create", (request) => Effect.flatMap(currentOrganisation, (owner) => resources.create([owner], request)))
      .handle("one", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => service.find(owner, path.resource_uid)).pipe(resources.tagged)
      )
      .handle("update", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => resources.update([owner], path.resource_uid, request))
      )
      .handle("remove", ({ path, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => resources.remove([owner], path.resource_uid, request))
      )
      .handle("preview", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => previews.ofChange(owner, path.resource_uid, payload))
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Resources.Default, ResourcePreviews.Default]))
