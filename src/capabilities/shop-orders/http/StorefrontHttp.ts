import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { groupOf } from "../../../http/group.ts"
import { OrderIntake } from "../../shared/services/intake/OrderIntake.ts"
import { StorefrontApi } from "./StorefrontApi.ts"

const done = HttpServerResponse.unsafeJson({ status: "ok" })

/** Reads the body as text, since the signature covers its exact bytes. */
export const StorefrontHttp = groupOf(StorefrontApi)("storefront", (handlers) =>
  Effect.map(OrderIntake, (intake) =>
    handlers.handleRaw("webhook", ({ path, headers, request }) =>
      Effect.flatMap(Effect.orDie(request.text), (body) =>
        intake.receive(path.shop_identifier, {
          shop_domain: headers["x-shopify-shop-domain"],
          topic: headers["x-shopify-topic"],
          webhook_id: headers["x-shopify-webhook-id"],
          signature: headers["x-shopify-hmac-sha256"],
          body
        })
      ).pipe(Effect.as(done))
    )
  )
).pipe(Layer.provide(OrderIntake.Default))
