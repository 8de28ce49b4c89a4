/** Contract: an organisation's shops (Rule 12.1.2). */
import { OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Noun, Recorded } from "../../../../http/annotations.ts"
import { apiGroup } from "../../../../http/apiGroup.ts"
import { OrganisationKey } from "../../../../http/credentials/credentials.ts"
import { RequiredPermissions } from "../../../../http/credentials/requiredPermissions.ts"
import { recordEndpoints } from "../../../../http/recordEndpoints.ts"
import { AlreadyUsed, ShopNotFound } from "../../../../schemas/access/errors.ts"
import { NewShop, Shop, ShopChanges, ShopQuery } from "../../../../schemas/access/Shop.ts"
import { ShopUid } from "../../../../schemas/ids.ts"
import { Paged } from "../../../../schemas/paging.ts"

const uid = Schema.Struct({ shop_uid: ShopUid })
const shops = recordEndpoints("/shops/:shop_uid", uid, Shop, ShopNotFound)

export class ShopsApi extends apiGroup(
  "organisation.shops",
  shops.list("list", "List shops, by identifier", ShopQuery, Paged(Shop)),
  shops.create("create", "Create a shop", NewShop, AlreadyUsed),
  shops.read("one", "Read a shop"),
  shops.update("update", "Change a shop; only sent fields change", ShopChanges, AlreadyUsed)
)
  .middleware(OrganisationKey)
  .prefix("/v1/management")
  .annotateEndpoints(RequiredPermissions, ["organisation:admin"])
  .annotate(Noun, "Shop")
  .annotate(Recorded, "settings and stock, no patients and no secrets")
  .annotate(OpenApi.Title, "Organisation: shops")
  .annotate(
    OpenApi.Description,
    "Shops, the same records as in provisioning; responses never contain the secrets of their storefronts"
  ) {}
