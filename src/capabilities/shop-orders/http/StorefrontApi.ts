/** Contract: order webhooks of storefronts, with Shopify's headers and signature (Rule 11.7). */
import { HttpApi, HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CostClass } from "../../../http/admission/costClasses.ts"
import { apiGroup } from "../../../http/apiGroup.ts"
import { UsesKey } from "../../../http/idempotent.ts"
import { problem } from "../../../http/problems.ts"
import { ShopNotFound } from "../../../schemas/access/errors.ts"
import { StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"
import { described } from "../../../schemas/fields.ts"
import { lookedUp } from "../../../schemas/ids.ts"
import { Invalid, Unauthenticated } from "../../../schemas/problems.ts"

/** A missing header is an empty string, so that the signature does not match. */
const header = (description: string) => Schema.optionalWith(lookedUp(255, description), { default: () => "" })

class StorefrontGroup extends apiGroup(
  "storefront",
  HttpApiEndpoint.post("webhook", "/v1/storefront/:shop_identifier/webhooks")
    .setPath(
      Schema.Struct({
        shop_identifier: lookedUp(255, "Identifier that the shop is configured with")
      })
    )
    .setHeaders(
      Schema.Struct({
        "x-shopify-topic": header("What has happened to the order"),
        "x-shopify-shop-domain": header(
          "Domain of the sending shop. If present, it must be the domain of the shop in the path"
        ),
        "x-shopify-hmac-sha256": header("HMAC-SHA256 of the body under the shop's webhook secret, base64"),
        "x-shopify-webhook-id": header("Identifier of the message; a repeated one changes nothing")
      })
    )
    .addSuccess(Schema.Struct({ status: described(Schema.Literal("ok"), "Always ok") }))
    .annotate(CostClass, "shop")
    // the shop's webhook id names the request
    .annotate(UsesKey, "none")
    .addError(problem(Invalid, Unauthenticated, ShopNotFound, StorefrontUnavailable))
    .annotate(OpenApi.Identifier, "receiveStorefrontWebhook")
    .annotate(OpenApi.Summary, "Receive a webhook of a shop: orders/create, orders/paid, orders/cancelled")
    .annotate(
      OpenApi.Description,
      "The body is an order in Shopify's JSON, signed in `X-Shopify-Hmac-Sha256` with the shop's webhook secret. A " +
        "known webhook id, and any other topic, is answered 200 and does nothing."
    )
)
  .annotate(OpenApi.Title, "Storefront webhooks")
  .annotate(OpenApi.Description, "Orders of shops, with Shopify's headers and signature") {}

export const StorefrontApi = HttpApi.make("shop-orders").add(StorefrontGroup)
