import { Effect, Layer } from "effect"
import { FhirClient } from "../../schemas/fhir/FhirClient.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { Listed, ListQuery } from "../../schemas/paging.ts"
import { FhirClients } from "../../services/fhir/FhirClients.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { Conditional, listTags, recordTags } from "../conditional.ts"
import { CurrentAdmin } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { holders, idempotent } from "../idempotent.ts"
import { inData } from "../inData.ts"

const own = <A, E, R>(use: (owner: OrganisationUid) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentAdmin, ({ organisation_uid }) => use(organisation_uid))

const single = recordTags(FhirClient)
const listed = listTags(Listed(FhirClient), ListQuery)

export const FhirClientsHttp = group("admin.fhir_clients", (handlers) =>
  Effect.zipWith(FhirClients, Conditional, (clients, { changeIfMatch }) => {
    const currentTags = (owner: OrganisationUid, client_id: string) => ({
      record: Effect.map(clients.findForChange(owner, client_id), single.tagOf),
      isListed: listed.isCurrent((query) => inData(clients.list(owner, query)))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(inData(own((owner) => clients.list(owner, urlParams))), urlParams)
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "fhir clients", answer: FhirClient, by: holders.admin },
          own((owner) => clients.create(owner, request.payload))
        ).pipe(single.tagged)
      )
      .handle("update", ({ path: { client_id }, payload, headers }) =>
        own((owner) =>
          changeIfMatch(headers, currentTags(owner, client_id), clients.update(owner, client_id, payload))
        ).pipe(single.tagged)
      )
      .handle("remove", ({ path: { client_id }, headers }) =>
        own((owner) => changeIfMatch(headers, currentTags(owner, client_id), clients.remove(owner, client_id)))
      )
  })
).pipe(Layer.provide([Idempotency.Default, FhirClients.Default, Conditional.Default]))
