/** Contract: the public documents of the built-in development identity provider. */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Recorded } from "../../../http/annotations.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { addProblems, problem } from "../../../http/problems.ts"
import { DevelopmentIssuerNotFound } from "../../shared/services/DevelopmentIssuer.ts"

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

addProblems(404, DevelopmentIssuerNotFound)

class DevelopmentIssuerGroup extends apiGroup(
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

export const DevelopmentIssuerApi = HttpApi.make("development-issuer").add(DevelopmentIssuerGroup)
