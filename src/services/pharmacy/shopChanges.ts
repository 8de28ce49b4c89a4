/** What a newer state of the shop's order means for a pharmacy order, by how far the pharmacy is (Rules 10.4.14 to 10.4.18). Pure. */
import type { UnixSeconds } from "../../schemas/fields.ts"
import type { ShopChangeUid, ShopUid, SkuUid } from "../../schemas/ids.ts"
import type { ChangeReason, PharmacyOrder, ShopChange } from "../../schemas/pharmacy/PharmacyOrder.ts"
import { isVoid } from "../../schemas/pharmacy/PharmacyOrderStates.ts"

/** A line of the shop's order as the pharmacy has to deliver it. */
export interface ContentLine {
  readonly sku_uid: SkuUid
  readonly display_name: string
  readonly quantity: number
  /** Cents, for the whole quantity. */
  readonly total_price: number
  /** Whether it is dispensed from the order's prescription. */
  readonly prescribed: boolean
  readonly anamnesis_uid: string | null
}

/** The lines and the shipping of one pharmacy order. */
export interface Content {
  readonly lines: ReadonlyArray<ContentLine>
  /** Cents. */
  readonly shipping_price: number
}

/** The part of a shop's order that one pharmacy order fills. */
export interface ShopState {
  /** Null: as it is; a refund alone does not say what is left. */
  readonly content: Content | null
  /** Null: as it is. */
  readonly paid: boolean | null
  /** The payment that the shop's order names. */
  readonly payment_id: string | null
  readonly shop_uid: ShopUid
  readonly order_id: string
  /** Paid for this part less what was refunded, in cents. */
  readonly paid_amount: number
  /** Refunded for the shop's whole order, in cents. */
  readonly refunded_amount: number
  /** The whole order is off. */
  readonly ended: { readonly by: "cancelled" | "refunded"; readonly reason: string } | null
  /** Something that a person has to settle before the order goes on, whatever its content. */
  readonly hold: ChangeReason | null
}

/** A change that waits for a person, or that one has settled. `content` null: the shop has not said yet what is left. */
export interface StoredChange {
  readonly uid: ShopChangeUid
  readonly reason: ChangeReason
  readonly since: UnixSeconds
  readonly content: Content | null
  readonly refunded_amount: number
  readonly settled: boolean
}

type Change = Pick<StoredChange, "reason" | "content" | "refunded_amount">

export interface Decision {
  readonly cancel: string | null
  /** To take over at once. */
  readonly replace: Content | null
  /** To wait for. */
  readonly change: Change | null
}

type Known = Pick<PharmacyOrder, "status" | "lines" | "shipping_price" | "paid">

const nothing: Decision = { cancel: null, replace: null, change: null }

/** The lines' amounts and the shipping, in cents. */
export const totalOf = ({
  lines,
  shipping_price
}: {
  lines: ReadonlyArray<{ total_price: number }>
  shipping_price: number
}) => lines.reduce((sum, { total_price }) => sum + total_price, shipping_price)

type Goods = ReadonlyArray<{ readonly sku_uid: SkuUid; readonly quantity: number }>
const goodsOf = (lines: Goods) => JSON.stringify(lines.map(({ sku_uid, quantity }) => [sku_uid, quantity]))
/** Whether the same pieces of the same articles are to be delivered. */
export const hasSameGoods = (some: Goods, others: Goods): boolean => goodsOf(some) === goodsOf(others)

const contentKey = ({
  lines,
  shipping_price
}: Pick<Content, "shipping_price"> & { readonly lines: Known["lines"] | Content["lines"] }) =>
  JSON.stringify([
    shipping_price,
    ...lines.map(({ sku_uid, quantity, total_price }) => [sku_uid, quantity, total_price])
  ])

const empty: Content = { lines: [], shipping_price: 0 }

/** An order that is paid in part only, since money was given back: a person decides whether it still goes out. */
const moneyBack = (order: Known, state: ShopState): Change | null => {
  const { refunded_amount, paid_amount } = state
  const isPaid = state.paid ?? order.paid
  return refunded_amount > 0 && isPaid && paid_amount < totalOf(state.content ?? order)
    ? { reason: "refunded", content: null, refunded_amount }
    : null
}

const decideContent = (order: Known, state: ShopState, content: Content): Decision => {
  const { refunded_amount } = state
  const reason = refunded_amount > 0 ? "refunded" : "edited"
  if (contentKey(content) === contentKey(order)) return { ...nothing, change: moneyBack(order, state) }
  if (order.status === "new" && content.lines.length === 0)
    return { ...nothing, cancel: "The shop has removed all of its articles" }
  const takesOver = order.status === "new" || (order.status !== "completed" && hasSameGoods(content.lines, order.lines))
  return takesOver
    ? { ...nothing, replace: content, change: moneyBack(order, state) }
    : { ...nothing, change: { reason, content, refunded_amount } }
}

/** A refund alone says nothing of the content: what the shop said before stands, and so does the lack of an anamnesis. */
export const withKnown = (state: ShopState, waits: StoredChange | null): ShopState =>
  state.content !== null || waits === null
    ? state
    : {
        ...state,
        content: waits.content,
        hold: waits.reason === "anamnesis_required" ? waits.reason : state.hold
      }

/**
 * Until the pharmacy has accepted the order, it follows the shop's. Later a change of what is to be delivered waits for a person, and
 * after shipping it is shown.
 */
export const decide = (order: Known, state: ShopState): Decision => {
  const { ended, hold, content, refunded_amount } = state
  if (isVoid(order.status)) return nothing
  if (ended !== null) {
    const cancels = ended.by === "cancelled" ? order.status !== "completed" : order.status === "new"
    return cancels
      ? { ...nothing, cancel: ended.reason }
      : { ...nothing, change: { reason: ended.by, content: empty, refunded_amount } }
  }
  // a body that does not know of the refund yet does not say what is left
  if (hold !== null)
    return { ...nothing, change: { reason: hold, content: hold === "refunded" ? null : content, refunded_amount } }
  return content === null ? { ...nothing, change: moneyBack(order, state) } : decideContent(order, state, content)
}

const changeKey = ({ reason, content, refunded_amount }: Change) =>
  JSON.stringify([reason, refunded_amount, content === null ? null : contentKey(content)])

/** Whether it is the same change, which keeps its uid and stays settled. */
export const isSameChange = (one: Change, other: Change): boolean => changeKey(one) === changeKey(other)

/** What each part of an order gets of its money, in cents: what is being routed first, the rest in the parts' order. */
export const sharesOf = (
  parts: ReadonlyArray<{ readonly total: number; readonly committed: number }>,
  net: number
): ReadonlyArray<number> => {
  let left = Math.max(0, net)
  const take = (wanted: number) => {
    const taken = Math.min(wanted, left)
    left -= taken
    return taken
  }
  const reserved = parts.map(({ committed }) => take(committed))
  return parts.map(({ total, committed }, i) => (reserved[i] ?? 0) + take(Math.max(0, total - committed)))
}

/** The change as an order's record shows it: null once it is settled. */
export const shownChange = (change: StoredChange | null): ShopChange | null => {
  if (change === null || change.settled) return null
  const { uid, reason, since, content } = change
  return {
    uid,
    reason,
    since,
    lines: content?.lines.map(({ prescribed: _, anamnesis_uid: __, ...line }) => line) ?? null,
    shipping_price: content?.shipping_price ?? null
  }
}
