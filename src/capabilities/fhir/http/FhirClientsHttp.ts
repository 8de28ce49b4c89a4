import { Effect } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { groupOf } from "../../../http/group.ts"
import { byAdmin, wholeRecords } from "../../../http/records.ts"
import { FhirClient } from "../schemas/FhirClient.ts"
import { FhirClients } from "../services/FhirClients.ts"
import { FhirApi } from "./FhirClientsApi.ts"

const group = groupOf(FhirApi)
const clientHandling = wholeRecords(FhirClient)

export const FhirClientsHttp = group("admin.fhir_clients", (handlers) =>
  Effect.zipWith(FhirClients, Conditional, (service, conditional) => {
    const clients = clientHandling(service, conditional, byAdmin, "client_id")
    return handlers
      .handle("list", clients.list)
      .handle("create", (request) =>
        Effect.zipRight(service.examine(request.payload), clients.create(service.create)(request))
      )
      .handle("update", clients.update(service.update, service.examine))
      .handle("remove", clients.remove(service.remove))
  })
)
