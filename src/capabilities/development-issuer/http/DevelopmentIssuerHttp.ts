import { Effect } from "effect"
import { groupOf } from "../../../http/group.ts"
import { DevelopmentIssuer, DevelopmentIssuerNotFound } from "../../shared/services/DevelopmentIssuer.ts"
import { DevelopmentIssuerApi } from "./DevelopmentIssuerApi.ts"

export const DevelopmentIssuerHttp = groupOf(DevelopmentIssuerApi)("development_issuer", (handlers) =>
  Effect.map(DevelopmentIssuer, (found) => {
    const issuer = Effect.mapError(found, () => new DevelopmentIssuerNotFound())
    return handlers
      .handle("configuration", () => Effect.map(issuer, ({ configuration }) => configuration))
      .handle("jwks", () => Effect.map(issuer, ({ jwks }) => jwks))
  })
)
