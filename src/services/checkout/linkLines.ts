/** Pure: assigns lines without `prescription_id` to a prescription (Rule 11.2.5). */
import type { PrescriptionCheckout } from "../../schemas/checkout/Checkout.ts"
import type { SkuUid } from "../../schemas/ids.ts"

type Lines = PrescriptionCheckout["lines"]

/**
 * If exactly one prescription has no line, assigns the lines without a prescription to it: the physical ones, or the digital ones if
 * there are no others. Otherwise they stay without one.
 */
export const linkLines = (
  { prescriptions, lines }: Pick<PrescriptionCheckout, "prescriptions" | "lines">,
  isDigital: (sku_uid: SkuUid) => boolean
): Lines => {
  const named = new Set(lines.map(({ prescription_id }) => prescription_id))
  const [only, ...more] = prescriptions.filter(({ id }) => !named.has(id))
  if (only === undefined || more.length > 0) return lines
  const unlinked = lines.filter(({ prescription_id }) => prescription_id === null)
  const physical = unlinked.filter(({ sku_uid }) => !isDigital(sku_uid))
  const candidates = new Set(physical.length > 0 ? physical : unlinked)
  return lines.map((line) => (candidates.has(line) ? { ...line, prescription_id: only.id } : line))
}
