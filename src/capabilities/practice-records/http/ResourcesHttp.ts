import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { byKey, wholeRecords } from "../../../http/records.ts"
import { Resource } from "../../../schemas/scheduling/Resource.ts"
import { Resources } from "../../../services/scheduling/practice/Resources.ts"
import { group } from "./group.ts"

const resourceHandling = wholeRecords(Resource)

export const ResourcesHttp = group("management.resources", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Resources
    const resources = resourceHandling(service, yield* Conditional, byKey, "resource_uid")
    return handlers
      .handle("list", resources.list)
      .handle("create", resources.create(service.create))
      .handle("one", resources.read(service.find))
      .handle("update", resources.update(service.update))
      .handle("remove", resources.remove(service.remove))
  })
).pipe(Layer.provide(Resources.Default))
