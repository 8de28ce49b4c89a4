import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { OrganisationKeys } from "../../services/access/OrganisationKeys.ts"
import { Api } from "../Api.ts"
import { CurrentAdmin } from "../credentials.ts"

const own = Effect.map(CurrentAdmin, ({ organisation_uid }) => organisation_uid)

export const ApiKeysHttp = HttpApiBuilder.group(Api, "admin.api_keys", (handlers) =>
  Effect.map(OrganisationKeys, (keys) =>
    handlers
      .handle("list", () => Effect.map(Effect.flatMap(own, keys.list), (data) => ({ data })))
      .handle("create", ({ payload }) => Effect.flatMap(own, (owner) => keys.create(owner, payload)))
      .handle("revoke", ({ path }) => Effect.flatMap(own, (owner) => keys.revoke(owner, path.uid)))
  )
).pipe(Layer.provide(OrganisationKeys.Default))
