import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { byKey, pagedRecords } from "../../../http/records.ts"
import { Shop, ShopQuery } from "../../../schemas/access/Shop.ts"
import { ShopRecords } from "../services/ShopRecords.ts"
import { group } from "./group.ts"

const shopHandling = pagedRecords(Shop, ShopQuery)

export const ShopsHttp = group("organisation.shops", (handlers) =>
  Effect.zipWith(ShopRecords, Conditional, (service, conditional) => {
    const shops = shopHandling(service, conditional, byKey, "shop_uid")
    return handlers
      .handle("list", shops.list)
      .handle("create", shops.create(service.create))
      .handle("one", shops.read(service.find))
      .handle("update", shops.update(service.update))
  })
).pipe(Layer.provide([ShopRecords.Default]))
