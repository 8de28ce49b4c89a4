import { Effect, Option } from "effect"
import { StorefrontRefused } from "../../../schemas/checkout/storefrontProblems.ts"
import type { DraftOrderChange, DraftOrderRequest, Storefront } from "../../../services/checkout/Storefront.ts"
import {
  draftOrderByTag,
  draftOrderCreate,
  draftOrderDelete,
  draftOrderInvoice,
  draftOrderInvoiceSend,
  draftOrderLines,
  draftOrderUpdate,
  type Made,
  orderLineGroups
} from "./documents.ts"
import type { Ask } from "./graphql.ts"
import { attributesOf, contactInput, draftOrderInput, globalId, localId, sameLine } from "./inputs.ts"
import { accepted, made } from "./outcomes.ts"
import { allPages } from "./pages.ts"

const named = ({ id, invoiceUrl }: { readonly id: string; readonly invoiceUrl: string | null }) => ({
  draft_order_id: id,
  checkout_url: invoiceUrl
})

/** The operations of a storefront by the Admin API. */
export const makeDraftOrders = (ask: Ask): Omit<Storefront, "createCart"> => {
  const byKey = (key: string) =>
    Effect.map(ask(draftOrderByTag, { query: `tag:"${key}"` }), (data) =>
      Option.fromNullable(data.draftOrders.nodes[0])
    )

  const written = (outcome: typeof Made.Type | null) =>
    Effect.map(
      Effect.flatMap(accepted(outcome), ({ draftOrder }) => made(draftOrder)),
      named
    )

  const create = (input: object) =>
    Effect.flatMap(ask(draftOrderCreate, { input }), (data) => written(data.draftOrderCreate))

  const update = (id: string, input: object) =>
    Effect.flatMap(ask(draftOrderUpdate, { id, input }), (data) => written(data.draftOrderUpdate))

  const createDraftOrder = Effect.fn("Shopify.createDraftOrder")(function* (request: DraftOrderRequest) {
    const earlier = request.repeated ? yield* byKey(request.key) : Option.none()
    if (Option.isNone(earlier)) return yield* create(draftOrderInput(request))
    if (earlier.value.status === "COMPLETED") return named(earlier.value)
    return yield* update(earlier.value.id, draftOrderInput(request))
  })

  const sendInvoice = Effect.fn("Shopify.sendInvoice")(function* (draft_order_id: string) {
    const id = globalId("DraftOrder", draft_order_id)
    const { draftOrder } = yield* ask(draftOrderInvoice, { id })
    if (!draftOrder || draftOrder.invoiceSentAt !== null || draftOrder.status === "COMPLETED") return
    yield* Effect.flatMap(ask(draftOrderInvoiceSend, { id }), (data) => accepted(data.draftOrderInvoiceSend))
  })

  const allLines = (id: string) =>
    allPages((after) =>
      Effect.map(ask(draftOrderLines, { id, after }), ({ draftOrder }) => Option.fromNullable(draftOrder?.lineItems))
    )

  const readDraftOrder = Effect.fn("Shopify.readDraftOrder")(function* (draft_order_id: string) {
    const id = globalId("DraftOrder", draft_order_id)
    const { draftOrder } = yield* ask(draftOrderInvoice, { id })
    const lines = yield* allLines(id)
    if (!draftOrder || Option.isNone(lines)) return Option.none()
    return Option.some({
      ...named({ id, invoiceUrl: draftOrder.invoiceUrl }),
      completed: draftOrder.status === "COMPLETED",
      lines: lines.value.map(({ uuid, quantity, variant, customAttributes }) => ({
        uuid,
        quantity,
        variant_id: variant?.id ?? null,
        attributes: attributesOf(customAttributes)
      }))
    })
  })

  const updateDraftOrder = Effect.fn("Shopify.updateDraftOrder")(function* (
    draft_order_id: string,
    change: DraftOrderChange
  ) {
    const id = globalId("DraftOrder", draft_order_id)
    const lines = yield* allLines(id)
    if (Option.isNone(lines)) return yield* new StorefrontRefused({ reasons: ["the draft order is gone"] })
    const added = new Map(change.line_attributes.map(({ uuid, attributes }) => [uuid, attributes]))
    const lineItems = lines.value.map((line) => sameLine(line, added.get(line.uuid) ?? {}))
    yield* update(id, { ...contactInput(change), lineItems })
  })

  const discardDraftOrder = Effect.fn("Shopify.discardDraftOrder")(function* (key: string) {
    const left = yield* byKey(key)
    if (Option.isNone(left) || left.value.status === "COMPLETED") return
    yield* Effect.flatMap(ask(draftOrderDelete, { input: { id: left.value.id } }), (data) =>
      accepted(data.draftOrderDelete)
    )
  })

  const lineGroups = Effect.fn("Shopify.lineGroups")(function* (order_id: string) {
    const id = globalId("Order", order_id)
    const lines = yield* allPages((after) =>
      Effect.map(ask(orderLineGroups, { id, after }), ({ order }) => Option.fromNullable(order?.lineItems))
    )
    return new Map(
      Option.getOrElse(lines, () => []).flatMap((line) =>
        line.lineItemGroup ? [[localId(line.id), attributesOf(line.lineItemGroup.customAttributes)] as const] : []
      )
    )
  })

  return { createDraftOrder, sendInvoice, readDraftOrder, updateDraftOrder, discardDraftOrder, lineGroups }
}
