/** Contract: clients of the FHIR interface that authenticate with a key pair (Rule 20.3.6); provisioned ones are listed too. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { AdminToken } from "../../../http/credentials/credentials.ts"
import { addProblems } from "../../../http/problems.ts"
import { recordEndpoints } from "../../../http/recordEndpoints.ts"
import { AlreadyUsed } from "../../../schemas/access/errors.ts"
import { lookedUp } from "../../../schemas/ids.ts"
import { ListedWhole, ListQuery } from "../../../schemas/paging.ts"
import { FhirClient, FhirClientChanges, FhirClientNotFound, NewFhirClient } from "../schemas/FhirClient.ts"

addProblems(404, FhirClientNotFound)

const named = Schema.Struct({ client_id: lookedUp(255, "Name by which it authenticates") })
const clients = recordEndpoints("/:client_id", named, FhirClient, FhirClientNotFound)

class FhirClientsApi extends apiGroup(
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

export class FhirApi extends HttpApi.make("sprechstunde").add(FhirClientsApi) {}
