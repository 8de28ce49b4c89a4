import { Effect } from "effect"
import { DevelopmentIssuerNotFound } from "../../schemas/access/errors.ts"
import { Identity } from "../../services/access/Identity.ts"
import { group } from "../group.ts"

const documents = Effect.flatMap(Identity, (identity) => identity.documents).pipe(
  Effect.mapError(() => new DevelopmentIssuerNotFound())
)

export const DevelopmentIssuerHttp = group("development_issuer", (handlers) =>
  Effect.map(Effect.context<Identity>(), (context) =>
    handlers
      .handle("configuration", () =>
        Effect.map(documents, (published) => published.configuration).pipe(Effect.provide(context))
      )
      .handle("jwks", () => Effect.map(documents, (published) => published.jwks).pipe(Effect.provide(context)))
  )
)
