/** A process that verifies an access token of an identity provider, as the service does; prints what it finds. */
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as Oidc from "../../src/layers/identity/Oidc.ts"
import { Identity, logUnavailable } from "../../src/services/access/Identity.ts"

const [issuer = "", audience = "", token = ""] = process.argv.slice(2)
const verified = Effect.flatMap(Identity, ({ verify }) => verify(token)).pipe(
  Effect.tapErrorTag("IdentityUnavailable", ({ cause }) => logUnavailable(cause)),
  Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ roles }) => `verified: ${roles}` }),
  Effect.provide(Oidc.layer({ issuer, audience }).pipe(Layer.provide(FetchHttpClient.layer)))
)
console.log(await Effect.runPromise(verified))
