/** Contract: the public documents of the built-in development identity provider. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { DevelopmentIssuerNotFound } from "../../schemas/access/errors.ts"
import { Recorded } from "../annotations.ts"
import { problem } from "../problems.ts"

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

export class DevelopmentIssuerApi extends HttpApiGroup.make("development_issuer")
  .add(
    HttpApiEndpoint.get("configuration", "/.well-known/openid-configuration")
      .addSuccess(Document)
      .addError(problem(DevelopmentIssuerNotFound))
      .annotate(OpenApi.Identifier, "getIssuerConfiguration")
      .annotate(OpenApi.Summary, "Discovery document of the development issuer")
  )
  .add(
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
