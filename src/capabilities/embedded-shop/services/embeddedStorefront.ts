import { Effect, Option } from "effect"
import { StorefrontRefused, StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"
import type { Shop } from "../../../services/checkout/Shops.ts"
import type { Storefront } from "../../../services/checkout/Storefront.ts"
import type { Mail, Mailer } from "../../../services/notifications/Mailer.ts"
import type { EmbeddedOrder, EmbeddedShop } from "./EmbeddedShop.ts"

/** German, then English, since the embedded shop does not know its customers' language. */
const invoiceMail = (order: EmbeddedOrder, address: string, url: string): Mail => {
  const lines = [
    `Ihre Bestellung bei ${order.shop_name} liegt bereit. Bitte schließen Sie sie hier ab:`,
    `Your order at ${order.shop_name} is ready. Please complete it here:`
  ]
  return {
    message_id: `invoice-${order.id}`,
    to: { name: "", address },
    subject: `${order.shop_name}: Ihre Bestellung · your order`,
    text: `${lines.join("\n")}\n\n${url}\n`,
    html: `${lines.map((line) => `<p>${Bun.escapeHTML(line)}</p>`).join("")}<p><a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(url)}</a></p>`
  }
}

/** The embedded shop: draft orders and carts are in this database, mails are sent by this service. */
export const makeEmbedded = (shop: Shop, embedded: EmbeddedShop, mailer: typeof Mailer.Service): Storefront => ({
  createDraftOrder: (request) => embedded.open(shop, request),
  createCart: (request) => Effect.map(embedded.open(shop, request), ({ checkout_url }) => ({ checkout_url })),
  sendInvoice: Effect.fn("Embedded.sendInvoice")(function* (draft_order_id) {
    const order = Option.getOrUndefined(yield* embedded.find(shop, draft_order_id))
    if (!order?.email || order.invoice_sent_at !== null || order.paid_at !== null) return
    yield* mailer.send(invoiceMail(order, order.email, embedded.addressOf(order.id))).pipe(
      Effect.catchTags({
        MailRefused: ({ reason }) => new StorefrontRefused({ reasons: [reason] }),
        MailDelayed: ({ reason }) => new StorefrontUnavailable({ detail: reason })
      })
    )
    yield* embedded.invoiceSent(shop, draft_order_id)
  }),
  readDraftOrder: (draft_order_id) =>
    Effect.map(
      embedded.find(shop, draft_order_id),
      Option.map(({ id, lines, paid_at }) => ({
        draft_order_id: id,
        completed: paid_at !== null,
        checkout_url: embedded.addressOf(id),
        lines
      }))
    ),
  updateDraftOrder: (draft_order_id, change) => embedded.change(shop, draft_order_id, change),
  discardDraftOrder: (key) => embedded.discard(shop, key),
  lineGroups: () => Effect.succeed(new Map())
})
