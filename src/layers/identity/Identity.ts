/** The identity provider, selected by the settings. */
import type { FileSystem, HttpClient, Path } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { Settings } from "../../config.ts"
import { Identity, IdentityRefused } from "../../services/access/Identity.ts"
import * as DevelopmentIssuer from "./DevelopmentIssuer.ts"
import * as Oidc from "./Oidc.ts"

type Provider = Layer.Layer<Identity, never, HttpClient.HttpClient | FileSystem.FileSystem | Path.Path>

/** Staff sign in by mail: only tokens of the installation are taken. */
const noProvider = Layer.succeed(Identity, {
  verify: () => new IdentityRefused({ reason: "there is no identity provider" }),
  documents: Option.none()
})

export const IdentityLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ oidc, dataDir, baseUrl, production, staffSignIn }): Provider => {
    if (oidc.issuer !== undefined) return Oidc.layer({ ...oidc, issuer: oidc.issuer, production })
    return staffSignIn === "mail"
      ? noProvider
      : DevelopmentIssuer.layer({ dataDir, baseUrl, audience: oidc.audience, production })
  })
)
