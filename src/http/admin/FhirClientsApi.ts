/** Contract: clients of the FHIR interface that authenticate with a key pair (Rule 20.3.6); provisioned ones are listed too. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AlreadyUsed, FhirClientNotFound, IdempotencyKeyReused } from "../../schemas/access/errors.ts"
import { FhirClient, FhirClientChanges, NewFhirClient } from "../../schemas/fhir/FhirClient.ts"
import { lookedUp } from "../../schemas/ids.ts"
import { Listed, ListQuery } from "../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../schemas/problems.ts"
import { Noun, Recorded } from "../annotations.ts"
import { IfMatch } from "../conditional.ts"
import { AdminToken } from "../credentials/credentials.ts"
import { IdempotencyKey } from "../idempotent.ts"
import { problem } from "../problems.ts"

const named = Schema.Struct({ client_id: lookedUp(255, "Name by which it authenticates") })

export class FhirClientsApi extends HttpApiGroup.make("admin.fhir_clients")
  .add(
    HttpApiEndpoint.get("list", "/")
      .setUrlParams(ListQuery)
      .addSuccess(Listed(FhirClient))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List FHIR clients, by name")
  )
  .add(
    HttpApiEndpoint.post("create", "/")
      .setHeaders(IdempotencyKey)
      .setPayload(NewFhirClient)
      .addSuccess(FhirClient, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, AlreadyUsed))
      .annotate(OpenApi.Summary, "Register a FHIR client with its public keys")
  )
  .add(
    HttpApiEndpoint.patch("update", "/:client_id")
      .setPath(named)
      .setHeaders(IfMatch)
      .setPayload(FhirClientChanges)
      .addSuccess(FhirClient)
      .addError(problem(Invalid, FhirClientNotFound, PreconditionFailed))
      .annotate(OpenApi.Summary, "Change a FHIR client; only sent fields change")
      .annotate(OpenApi.Description, "Its access tokens follow at once.")
  )
  .add(
    HttpApiEndpoint.del("remove", "/:client_id")
      .setPath(named)
      .setHeaders(IfMatch)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(problem(FhirClientNotFound, PreconditionFailed))
      .annotate(OpenApi.Summary, "Delete a FHIR client; its access tokens end immediately")
  )
  .middleware(AdminToken)
  .prefix("/v1/admin/fhir-clients")
  .annotate(Noun, "FhirClient")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Admin: FHIR clients")
  .annotate(OpenApi.Description, "Clients of the FHIR interface with a key pair, by an administrator's token") {}
