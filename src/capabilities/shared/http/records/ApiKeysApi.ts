/** Contract: an organisation's own API keys (Rules 8.3.9 to 8.3.11); provisioned keys are listed too. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { AdminToken } from "../../../../http/credentials/credentials.ts"
import { UsesKey } from "../../../../http/idempotent.ts"
import { problem } from "../../../../http/problems.ts"
import { CreatedApiKey, ListedApiKey, NewApiKey } from "../../../../schemas/access/ApiKey.ts"
import { ApiKeyNotFound } from "../../../../schemas/access/errors.ts"
import { ApiKeyUid } from "../../../../schemas/ids.ts"
import { Listed } from "../../../../schemas/paging.ts"
import { Invalid } from "../../../../schemas/problems.ts"

export class ApiKeysApi extends apiGroup(
  "admin.api_keys",
  HttpApiEndpoint.get("list", "/")
    .addSuccess(Listed(ListedApiKey))
    .annotate(OpenApi.Identifier, "listApiKeys")
    .annotate(OpenApi.Summary, "List the organisation's API keys"),
  HttpApiEndpoint.post("create", "/")
    .annotate(UsesKey, "transaction")
    .setPayload(NewApiKey)
    .addSuccess(CreatedApiKey, { status: 201 })
    .addError(problem(Invalid))
    .annotate(OpenApi.Summary, "Create an API key; only this response shows it"),
  HttpApiEndpoint.del("revoke", "/:uid")
    .setPath(Schema.Struct({ uid: ApiKeyUid }))
    .addSuccess(HttpApiSchema.NoContent)
    .addError(problem(ApiKeyNotFound))
    .annotate(OpenApi.Summary, "Revoke an API key immediately")
)
  .middleware(AdminToken)
  .prefix("/v1/admin/api-keys")
  .annotate(Noun, "ApiKey")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Admin: API keys")
  .annotate(OpenApi.Description, "API keys of the organisation, by an administrator's token") {}
