/** Contract: secrets with which partners sign booking tokens (Rules 8.3.5 to 8.3.8). */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BookingTokenSecret, ListedSecret, ProvisionedSecret } from "../../schemas/access/BookingTokenSecret.ts"
import { OrganisationNotFound, SecretNotFound } from "../../schemas/access/errors.ts"
import { described } from "../../schemas/fields.ts"
import { AnyUid, lookedUp } from "../../schemas/ids.ts"
import { Listed } from "../../schemas/paging.ts"
import { Invalid } from "../../schemas/problems.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { AdminToken } from "../credentials/credentials.ts"
import { UsesKey } from "../idempotent.ts"
import { problem } from "../problems.ts"

const List = Listed(ListedSecret)
const key = Schema.Struct({ key_id: described(AnyUid, "Public name of the secret") })
const organisation = Schema.Struct({
  organisation_uid: lookedUp(255, "The administrator's organisation")
})
const organisationsKey = Schema.Struct({ ...organisation.fields, ...key.fields })

export class SecretsApi extends apiGroup(
  "admin.secrets",
  HttpApiEndpoint.get("list", "/")
    .addSuccess(List)
    .annotate(Recorded, "settings and stock, no patients and no secrets")
    .annotate(OpenApi.Summary, "List booking-token secrets"),
  HttpApiEndpoint.get("reveal", "/:key_id")
    .setPath(key)
    .addSuccess(BookingTokenSecret)
    .addError(problem(SecretNotFound))
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read a secret; a revoked one is 404"),
  HttpApiEndpoint.post("provision", "/")
    .annotate(UsesKey, "transaction")
    .addSuccess(ProvisionedSecret, { status: 201 })
    .addError(problem(Invalid))
    .annotate(OpenApi.Summary, "Provision a secret")
    .annotate(
      OpenApi.Description,
      "To rotate: provision a new secret, let the partner switch to it, then revoke the old one."
    ),
  HttpApiEndpoint.del("revoke", "/:key_id")
    .setPath(key)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(SecretNotFound))
    .annotate(OpenApi.Summary, "Revoke a secret; its tokens are rejected immediately")
)
  .middleware(AdminToken)
  .prefix("/v1/admin/scheduling/booking-token-secrets")
  .annotate(Noun, "BookingTokenSecret")
  .annotate(OpenApi.Title, "Admin: booking-token secrets")
  .annotate(OpenApi.Description, "Secrets with which partners sign booking tokens, by an administrator's token") {}

export class LegacySecretsApi extends apiGroup(
  "admin.legacy_secrets",
  HttpApiEndpoint.get("list", "/")
    .setPath(organisation)
    .addSuccess(List)
    .addError(problem(OrganisationNotFound))
    .annotate(Recorded, "settings and stock, no patients and no secrets")
    .annotate(OpenApi.Summary, "List booking-token secrets (old path)"),
  HttpApiEndpoint.get("reveal", "/:key_id")
    .setPath(organisationsKey)
    .addSuccess(BookingTokenSecret)
    .addError(problem(OrganisationNotFound, SecretNotFound))
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read a secret (old path)"),
  HttpApiEndpoint.post("provision", "/")
    .annotate(UsesKey, "transaction")
    .setPath(organisation)
    .addSuccess(ProvisionedSecret, { status: 201 })
    .addError(problem(Invalid, OrganisationNotFound))
    .annotate(OpenApi.Summary, "Provision a secret (old path)"),
  HttpApiEndpoint.del("revoke", "/:key_id")
    .setPath(organisationsKey)
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(OrganisationNotFound, SecretNotFound))
    .annotate(OpenApi.Summary, "Revoke a secret (old path)")
)
  .middleware(AdminToken)
  .prefix("/v1/admin/scheduling/organisations/:organisation_uid/booking-token-secrets")
  .annotate(Noun, "OrganisationBookingTokenSecret")
  .annotateEndpoints(OpenApi.Deprecated, true)
  .annotate(OpenApi.Title, "Admin: booking-token secrets by their old paths")
  .annotate(OpenApi.Description, "The organisation in the path must be the token's own, otherwise 404.") {}
