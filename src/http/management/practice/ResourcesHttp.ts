import { Effect, Layer } from "effect"
import { Resource } from "../../../schemas/scheduling/Resource.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { ResourcePreviews } from "../../../services/scheduling/practice/ResourcePreviews.ts"
import { Resources } from "../../../services/scheduling/practice/Resources.ts"
import { Conditional } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"
import { inData } from "../../inData.ts"
import { currentResourceTags, resourceListTags, resourceTags } from "./versions.ts"

export const ResourcesHttp = group("management.resources", (handlers) =>
  Effect.gen(function* () {
    const resources = yield* Resources
    const previews = yield* ResourcePreviews
    const { changeIfMatch } = yield* Conditional
    return handlers
      .handle("list", ({ urlParams }) =>
        resourceListTags.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => resources.list(owner, urlParams))),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "resources", answer: Resource, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => resources.create(owner, request.payload))
        ).pipe(resourceTags.tagged)
      )
      .handle("one", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => resources.find(owner, path.resource_uid)).pipe(
          resourceTags.tagged
        )
      )
      .handle("update", ({ path: { resource_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentResourceTags(resources, owner, uid), resources.update(owner, uid, payload))
        ).pipe(resourceTags.tagged)
      )
      .handle("remove", ({ path: { resource_uid: uid }, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentResourceTags(resources, owner, uid), resources.remove(owner, uid))
        )
      )
      .handle("preview", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) => previews.ofChange(owner, path.resource_uid, payload))
      )
  })
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Resources.Default, ResourcePreviews.Default]))
