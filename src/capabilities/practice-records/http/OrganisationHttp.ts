import { Effect, Layer } from "effect"
import { Conditional, recordTags } from "../../../http/conditional.ts"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { WholeOrganisation } from "../../../schemas/access/Organisation.ts"
import { Organisations } from "../../../services/access/Organisations.ts"
import { FreedTime } from "../../../services/scheduling/booking/FreedTime.ts"
import { group } from "./group.ts"

const single = recordTags(WholeOrganisation)

export const OrganisationHttp = group("organisation.settings", (handlers) =>
  Effect.gen(function* () {
    const organisations = yield* Organisations
    const freed = yield* FreedTime
    const { changeIfMatch } = yield* Conditional
    return handlers
      .handle("one", () => inOrganisation(organisations.find).pipe(single.tagged))
      .handle("update", ({ payload, headers }) =>
        inOrganisation((owner) => {
          const currentTags = { record: Effect.map(organisations.findForChange(owner), single.tagOf) }
          // fewer holidays open time
          return changeIfMatch(
            headers,
            currentTags,
            freed.around(owner, undefined, organisations.update(owner, payload))
          )
        }).pipe(single.tagged)
      )
      .handle("remove_admin", ({ path }) => inOrganisation((owner) => organisations.removeAdmin(owner, path.admin_uid)))
  })
).pipe(Layer.provide([Organisations.Default, FreedTime.Default]))
