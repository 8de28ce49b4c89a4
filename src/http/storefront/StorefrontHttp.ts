import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { OrderIntake } from "../../services/checkout/intake/OrderIntake.ts"
import { group } from "../group.ts"

const done = HttpServerResponse.unsafeJson({ status: "ok" })

/** Reads the body as text, since the signature covers its exact bytes. */
export const StorefrontHttp = group("storefront", (handlers) =>
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
