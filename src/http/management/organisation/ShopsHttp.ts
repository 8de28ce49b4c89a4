import { Effect, Layer } from "effect"
import { Shop, ShopQuery } from "../../../schemas/access/Shop.ts"
import type { OrganisationUid, ShopUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { ShopRecords } from "../../../services/access/ShopRecords.ts"
import { Idempotency } from "../../../services/Idempotency.ts"
import { Conditional, listTags, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { holders, idempotent } from "../../idempotent.ts"

const single = recordTags(Shop)
const listed = listTags(Paged(Shop), ShopQuery)

export const ShopsHttp = group("organisation.shops", (handlers) =>
  Effect.zipWith(ShopRecords, Conditional, (shops, { changeIfMatch }) => {
    const currentTags = (owner: OrganisationUid, uid: ShopUid) => ({
      record: Effect.map(shops.findForChange(owner, uid), single.tagOf),
      isListed: listed.isCurrent((query) => shops.list(owner, query))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          Effect.flatMap(currentOrganisation, (owner) => shops.list(owner, urlParams)),
          urlParams
        )
      )
      .handle("create", (request) =>
        idempotent(
          request,
          { name: "shops", answer: Shop, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) => shops.create(owner, request.payload))
        ).pipe(single.tagged)
      )
      .handle("one", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) => shops.find(owner, path.shop_uid)).pipe(single.tagged)
      )
      .handle("update", ({ path: { shop_uid: uid }, payload, headers }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          changeIfMatch(headers, currentTags(owner, uid), shops.update(owner, uid, payload))
        ).pipe(single.tagged)
      )
  })
).pipe(Layer.provide([Idempotency.Default, ShopRecords.Default, Conditional.Default]))
