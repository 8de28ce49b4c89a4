/** The identity provider, selected by the settings. */
import type { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Identity, IdentityRefused } from "../../services/access/Identity.ts"
import { Extensions } from "../../services/Extensions.ts"
import * as Oidc from "./Oidc.ts"

/** That of a capability. Without one, where staff sign in by mail, only tokens of the installation are taken. */
const added = Layer.effect(
  Identity,
  Effect.map(Extensions, ({ having }) => ({
    verify: (token) =>
      Effect.flatMap(
        having("verify"),
        ([first]) => first?.verify?.(token) ?? new IdentityRefused({ reason: "there is no identity provider" })
      )
  }))
)

export const IdentityLive = Layer.unwrapEffect(
  Effect.map(
    Settings,
    ({ oidc, production }): Layer.Layer<Identity, never, Extensions | HttpClient.HttpClient> =>
      oidc.issuer === undefined ? added : Oidc.layer({ ...oidc, issuer: oidc.issuer, production })
  )
)
