import { Effect, Layer } from "effect"
import { Invoices } from "../services/checkout/Invoices.ts"
import { NonRetryable, worker } from "./worker.ts"

/** Sends customers the invoice of a draft order. A rejection by the shop (unknown address or draft) is not retried. */
export const SendInvoice = worker("storefront.invoice", (invoice) =>
  Effect.flatMap(Invoices, (invoices) => invoices.send(invoice)).pipe(
    Effect.catchTags({
      StorefrontRefused: ({ message }) => new NonRetryable({ reason: message }),
      ShopNotFound: ({ message }) => new NonRetryable({ reason: message })
    })
  )
).pipe(Layer.provide(Invoices.Default))
