import { Effect, Layer } from "effect"
import { FhirClient } from "../../schemas/fhir/FhirClient.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { FhirClients } from "../../services/fhir/FhirClients.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { Conditional } from "../conditional.ts"
import { CurrentAdmin } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { holders } from "../idempotent.ts"
import { listedRecords } from "../records.ts"

const own = <A, E, R>(use: (owner: OrganisationUid) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentAdmin, ({ organisation_uid }) => use(organisation_uid))

const clientHandling = listedRecords("fhir clients", FhirClient)

export const FhirClientsHttp = group("admin.fhir_clients", (handlers) =>
  Effect.zipWith(FhirClients, Conditional, (service, conditional) => {
    const clients = clientHandling(service, conditional, holders.admin)
    return handlers
      .handle("list", ({ urlParams }) => own((owner) => clients.list([owner], urlParams)))
      .handle("create", (request) => own((owner) => clients.create([owner], request)))
      .handle("update", ({ path, ...request }) => own((owner) => clients.update([owner], path.client_id, request)))
      .handle("remove", ({ path, ...request }) => own((owner) => clients.remove([owner], path.client_id, request)))
  })
).pipe(Layer.provide([Idempotency.Default, FhirClients.Default, Conditional.Default]))
