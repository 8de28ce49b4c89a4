/** Allocates order lines to items of a prescription. Pure. */
import type { PrescriptionItemUid, SkuUid } from "../../schemas/ids.ts"

export interface ItemLeft {
  readonly uid: PrescriptionItemUid
  readonly sku_uid: SkuUid
  /** Packs that are prescribed and not dispensed yet. */
  readonly left: number
}

export interface Allocation<L> {
  readonly item_uid: PrescriptionItemUid
  readonly line: L
  /** Packs of the line that this item covers. */
  readonly quantity: number
}

/** Allocates every line to items of its article, in the order of both; undefined if the items do not suffice. */
export const allocate = <L extends { readonly sku_uid: SkuUid; readonly quantity: number }>(
  items: ReadonlyArray<ItemLeft>,
  lines: ReadonlyArray<L>
): ReadonlyArray<Allocation<L>> | undefined => {
  const left = new Map(items.map(({ uid, left }) => [uid, left]))
  const allocations: Array<Allocation<L>> = []
  for (const line of lines) {
    let wanted = line.quantity
    for (const { uid, sku_uid } of items) {
      const quantity = sku_uid === line.sku_uid ? Math.min(wanted, left.get(uid) ?? 0) : 0
      if (quantity === 0) continue
      left.set(uid, (left.get(uid) ?? 0) - quantity)
      wanted -= quantity
      allocations.push({ item_uid: uid, line, quantity })
    }
    if (wanted > 0) return undefined
  }
  return allocations
}
