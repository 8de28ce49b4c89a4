/** The identity provider, selected by the settings. */
import type { FileSystem, HttpClient, Path } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import type { Identity } from "../../services/access/Identity.ts"
import * as DevelopmentIssuer from "./DevelopmentIssuer.ts"
import * as Oidc from "./Oidc.ts"

type Provider = Layer.Layer<Identity, never, HttpClient.HttpClient | FileSystem.FileSystem | Path.Path>

export const IdentityLive = Layer.unwrapEffect(
  Effect.map(
    Settings,
    ({ oidc, dataDir, baseUrl, production }): Provider =>
      oidc.issuer === undefined
        ? DevelopmentIssuer.layer({
            dataDir,
            baseUrl,
            audience: oidc.audience,
            production
          })
        : Oidc.layer({ ...oidc, issuer: oidc.issuer, production })
  )
)
