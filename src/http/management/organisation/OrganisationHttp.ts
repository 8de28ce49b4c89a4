import { Effect, Layer } from "effect"
import { Organisation } from "../../../schemas/access/Organisation.ts"
import { Organisations } from "../../../services/access/Organisations.ts"
import { Conditional, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"

const single = recordTags(Organisation)

export const OrganisationHttp = group("organisation.settings", (handlers) =>
  Effect.zipWith(Organisations, Conditional, (organisations, { changeIfMatch }) =>
    handlers
      .handle("one", () => Effect.flatMap(currentOrganisation, organisations.find).pipe(single.tagged))
      .handle("update", ({ payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) => {
          const record = Effect.map(organisations.findForChange(owner), single.tagOf)
          const currentTags = { record, isListed: () => Effect.succeed(false) }
          return changeIfMatch(headers, currentTags, organisations.update(owner, payload))
        }).pipe(single.tagged)
      )
  )
).pipe(Layer.provide([Organisations.Default, Conditional.Default]))
