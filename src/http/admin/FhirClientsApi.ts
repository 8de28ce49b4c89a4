/** Contract: clients of the FHIR interface that authenticate with a key pair (Rule 20.3.6); provisioned ones are listed too. */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AlreadyUsed, FhirClientNotFound } from "../../schemas/access/errors.ts"
import { FhirClient, FhirClientChanges, NewFhirClient } from "../../schemas/fhir/FhirClient.ts"
import { lookedUp } from "../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../schemas/paging.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { AdminToken } from "../credentials/credentials.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const named = Schema.Struct({ client_id: lookedUp(255, "Name by which it authenticates") })
const clients = recordEndpoints("/:client_id", named, FhirClient, FhirClientNotFound)

export class FhirClientsApi extends apiGroup(
  "admin.fhir_clients",
  clients.list("list", "List FHIR clients, by name", ListQuery, ListedWhole(FhirClient)),
  clients.create("create", "Register a FHIR client with its public keys", NewFhirClient, AlreadyUsed),
  clients
    .update("update", "Change a FHIR client; only sent fields change", FhirClientChanges)
    .annotate(OpenApi.Description, "Its access tokens follow at once."),
  clients.remove("remove", "Delete a FHIR client; its access tokens end immediately")
)
  .middleware(AdminToken)
  .prefix("/v1/admin/fhir-clients")
  .annotate(Noun, "FhirClient")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Admin: FHIR clients")
  .annotate(OpenApi.Description, "Clients of the FHIR interface with a key pair, by an administrator's token") {}
