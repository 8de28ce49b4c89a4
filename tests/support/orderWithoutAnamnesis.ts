import { Effect, Schema } from "effect"
import { OrderWebhook } from "../../src/capabilities/shared/schemas/OrderWebhook.ts"
import { OrderIntake } from "../../src/capabilities/shared/services/intake/OrderIntake.ts"
import { Shops } from "../../src/services/checkout/Shops.ts"
import type { TestServer } from "./server.ts"

/** Records an order of an article that the shop sells only with an anamnesis, and that has none: it waits until somebody releases it. */
export const orderWithoutAnamnesis = (server: TestServer, shop_identifier: string, sku: string, id: number) =>
  server.run(
    Effect.gen(function* () {
      const shop = yield* (yield* Shops).byIdentifier(shop_identifier)
      const line_items = [{ id: 1, sku, quantity: 1, price: "29.99" }]
      const order = yield* Schema.decode(OrderWebhook)({ id, name: "#1003", line_items })
      const notice = { topic: "orders/create", webhook_id: String(id), body_sha256: "0".repeat(64) } as const
      yield* (yield* OrderIntake).record(shop, { ...notice, groups: new Map(), order })
    }).pipe(Effect.provide(Shops.Default))
  )
