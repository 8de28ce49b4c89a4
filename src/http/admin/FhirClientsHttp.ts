import { Effect, Layer } from "effect"
import { FhirClient } from "../../schemas/fhir/FhirClient.ts"
import { FhirClients } from "../../services/fhir/FhirClients.ts"
import { Conditional } from "../conditional.ts"
import { group } from "../group.ts"
import { byAdmin, wholeRecords } from "../records.ts"

const clientHandling = wholeRecords("fhir clients", FhirClient)

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
).pipe(Layer.provide([FhirClients.Default]))
