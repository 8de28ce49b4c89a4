/** Contract: the public documents of the built-in development identity provider. */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DevelopmentIssuerNotFound } from "../../schemas/access/errors.ts"
import { Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { problem } from "../problems.ts"

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

export class DevelopmentIssuerApi extends apiGroup(
  "development_issuer",
  HttpApiEndpoint.get("configuration", "/.well-known/openid-configuration")
    .addSuccess(Document)
    .addError(problem(DevelopmentIssuerNotFound))
    .annotate(OpenApi.Identifier, "getIssuerConfiguration")
    .annotate(OpenApi.Summary, "Discovery document of the development issuer"),
  HttpApiEndpoint.get("jwks", "/jwks")
    .addSuccess(Document)
    .addError(problem(DevelopmentIssuerNotFound))
    .annotate(OpenApi.Identifier, "getIssuerKeys")
    .annotate(OpenApi.Summary, "Public keys of the development issuer")
)
  .prefix("/dev-idp")
  .annotate(Recorded, "public")
  .annotate(OpenApi.Title, "Development identity provider")
  .annotate(OpenApi.Description, "Only without OIDC_ISSUER; tokens are minted by `bun run cli idp token`.") {}
