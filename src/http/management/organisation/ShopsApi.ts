/** Contract: an organisation's shops (Rule 12.1.2). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AlreadyUsed, IdempotencyKeyReused, ShopNotFound } from "../../../schemas/access/errors.ts"
import { NewShop, Shop, ShopChanges, ShopQuery } from "../../../schemas/access/Shop.ts"
import { ShopUid } from "../../../schemas/ids.ts"
import { Paged } from "../../../schemas/paging.ts"
import { Invalid, PreconditionFailed } from "../../../schemas/problems.ts"
import { Noun, Recorded } from "../../annotations.ts"
import { IfMatch } from "../../conditional.ts"
import { OrganisationKey } from "../../credentials/credentials.ts"
import { RequiredPermissions } from "../../credentials/requiredPermissions.ts"
import { IdempotencyKey } from "../../idempotent.ts"
import { problem } from "../../problems.ts"

const uid = Schema.Struct({ shop_uid: ShopUid })

export class ShopsApi extends HttpApiGroup.make("organisation.shops")
  .add(
    HttpApiEndpoint.get("list", "/shops")
      .setUrlParams(ShopQuery)
      .addSuccess(Paged(Shop))
      .addError(problem(Invalid))
      .annotate(OpenApi.Summary, "List shops, by identifier")
  )
  .add(
    HttpApiEndpoint.post("create", "/shops")
      .setHeaders(IdempotencyKey)
      .setPayload(NewShop)
      .addSuccess(Shop, { status: 201 })
      .addError(problem(IdempotencyKeyReused, Invalid, AlreadyUsed))
      .annotate(OpenApi.Summary, "Create a shop")
  )
  .add(
    HttpApiEndpoint.get("one", "/shops/:shop_uid")
      .setPath(uid)
      .addSuccess(Shop)
      .addError(problem(ShopNotFound))
      .annotate(OpenApi.Summary, "Read a shop")
  )
  .add(
    HttpApiEndpoint.patch("update", "/shops/:shop_uid")
      .setPath(uid)
      .setHeaders(IfMatch)
      .setPayload(ShopChanges)
      .addSuccess(Shop)
      .addError(problem(Invalid, ShopNotFound, AlreadyUsed, PreconditionFailed))
      .annotate(OpenApi.Summary, "Change a shop; only sent fields change")
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
