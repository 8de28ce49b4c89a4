import { Effect, Layer } from "effect"
import { inOrganisation } from "../../../../http/credentials/credentials.ts"
import { groupOf } from "../../../../http/group.ts"
import { PracticeCalendar } from "../../services/PracticeCalendar.ts"
import { OverridePreviews } from "../../services/previews/OverridePreviews.ts"
import { ResourcePreviews } from "../../services/previews/ResourcePreviews.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

export const PracticeHttp = groupOf(ConsoleApi)("management.practice", (handlers) =>
  Effect.gen(function* () {
    const calendar = yield* PracticeCalendar
    const ofDoctors = yield* OverridePreviews
    const ofResources = yield* ResourcePreviews
    return handlers
      .handle("calendar", ({ urlParams }) => inOrganisation((owner) => calendar.read(owner, urlParams)))
      .handle("preview_override", ({ path, payload }) =>
        inOrganisation((owner) => ofDoctors.preview(owner, path.doctor_uid, payload))
      )
      .handle("preview_resource", ({ path, payload }) =>
        inOrganisation((owner) => ofResources.ofChange(owner, path.resource_uid, payload))
      )
      .handle("preview_resource_override", ({ path, payload }) =>
        inOrganisation((owner) => ofResources.ofOverride(owner, path.resource_uid, payload))
      )
  })
).pipe(Layer.provide([PracticeCalendar.Default, OverridePreviews.Default, ResourcePreviews.Default]))
