import { Effect, Layer } from "effect"
import { Invoices } from "../services/checkout/Invoices.ts"
import { NonRetryable, worker } from "./worker.ts"

/** Asks customers to pay their draft orders. A shop that refuses (no such address, no such draft) will go on doing so. */
export const SendInvoice = worker("storefront.invoice", (invoice) =>
  Effect.flatMap(Invoices, (invoices) => invoices.send(invoice)).pipe(
    Effect.catchTags({
      StorefrontRefused: ({ message }) => new NonRetryable({ reason: message }),
      ShopNotFound: ({ message }) => new NonRetryable({ reason: message })
    })
  )
).pipe(Layer.provide(Invoices.Default))
