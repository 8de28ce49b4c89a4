import { Effect, Layer } from "effect"
import { OrganisationNotFound } from "../../schemas/access/errors.ts"
import { BookingTokenSecrets } from "../../services/access/BookingTokenSecrets.ts"
import { CurrentAdmin } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { inData } from "../inData.ts"

const own = Effect.map(CurrentAdmin, ({ organisation_uid }) => organisation_uid)

/** The organisation in the older paths must be the administrator's own. Rule 8.3.12. */
const named = (path: { readonly organisation_uid: string }) =>
  Effect.filterOrFail(
    own,
    (organisation_uid) => organisation_uid === path.organisation_uid,
    () => new OrganisationNotFound()
  )

export const SecretsHttp = group("admin.secrets", (handlers) =>
  Effect.map(BookingTokenSecrets, (secrets) =>
    handlers
      .handle("list", () => inData(Effect.flatMap(own, secrets.list)))
      .handle("reveal", ({ path }) => Effect.flatMap(own, (owner) => secrets.reveal(owner, path.key_id)))
      .handle("provision", (_request) => Effect.flatMap(own, secrets.provision))
      .handle("revoke", ({ path }) => Effect.flatMap(own, (owner) => secrets.revoke(owner, path.key_id)))
  )
).pipe(Layer.provide([BookingTokenSecrets.Default]))

export const LegacySecretsHttp = group("admin.legacy_secrets", (handlers) =>
  Effect.map(BookingTokenSecrets, (secrets) =>
    handlers
      .handle("list", ({ path }) => inData(Effect.flatMap(named(path), secrets.list)))
      .handle("reveal", ({ path }) => Effect.flatMap(named(path), (owner) => secrets.reveal(owner, path.key_id)))
      .handle("provision", (request) => Effect.flatMap(named(request.path), secrets.provision))
      .handle("revoke", ({ path }) => Effect.flatMap(named(path), (owner) => secrets.revoke(owner, path.key_id)))
  )
).pipe(Layer.provide([BookingTokenSecrets.Default]))
