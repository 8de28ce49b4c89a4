/** Pure: assigns lines without `prescription_id` to a prescription (Rule 11.2.5). */
import { Either } from "effect"
import type { PrescriptionCheckout } from "../../schemas/checkout/Checkout.ts"
import type { SkuUid } from "../../schemas/ids.ts"
import type { Fault } from "../../schemas/problems.ts"

type Lines = PrescriptionCheckout["lines"]

/**
 * If exactly one prescription has no line, assigns the lines without a prescription to it: the physical ones, or the digital ones if
 * there are no others. If several prescriptions have no line, each of these lines is a fault.
 */
export const linkLines = (
  { prescriptions, lines }: Pick<PrescriptionCheckout, "prescriptions" | "lines">,
  isDigital: (sku_uid: SkuUid) => boolean
): Either.Either<Lines, ReadonlyArray<Fault>> => {
  const named = new Set(lines.map(({ prescription_id }) => prescription_id))
  const [only, ...more] = prescriptions.filter(({ id }) => !named.has(id))
  const unlinked = lines.filter(({ prescription_id }) => prescription_id === null)
  const physical = unlinked.filter(({ sku_uid }) => !isDigital(sku_uid))
  const candidates = new Set(physical.length > 0 ? physical : unlinked)
  if (only === undefined) return Either.right(lines)
  if (more.length === 0)
    return Either.right(lines.map((line) => (candidates.has(line) ? { ...line, prescription_id: only.id } : line)))
  const faults = lines.flatMap((line, i) =>
    candidates.has(line)
      ? [{ field: `lines[${i}].prescription_id`, message: "is required, since several prescriptions have no line" }]
      : []
  )
  return faults.length > 0 ? Either.left(faults) : Either.right(lines)
}
