import { Effect, Layer } from "effect"
import { CurrentAdmin } from "../../../http/credentials/credentials.ts"
import { inData } from "../../../http/inData.ts"
import { ApiKeys, type KeyOwner } from "../../../services/access/ApiKeys.ts"
import { group } from "./group.ts"

const own = Effect.map(CurrentAdmin, ({ organisation_uid }) => organisation_uid)
const owner = Effect.map(own, (uid): KeyOwner => ({ kind: "organisation", uid }))

export const ApiKeysHttp = group("admin.api_keys", (handlers) =>
  Effect.map(ApiKeys, (keys) =>
    handlers
      .handle("list", () => inData(Effect.flatMap(own, keys.listOwn)))
      .handle("create", (request) => Effect.flatMap(owner, (admins) => keys.create(admins, request.payload)))
      .handle("revoke", ({ path }) => Effect.flatMap(owner, (admins) => keys.revoke(path.uid, admins)))
  )
).pipe(Layer.provide([ApiKeys.Default]))
