/** Pure: which prescription a line without `prescription_id` belongs to (Rule 11.2.5). */
import { Either } from "effect"
import type { PrescriptionCheckout } from "../../schemas/checkout/Checkout.ts"
import type { SkuUid } from "../../schemas/ids.ts"
import type { Fault } from "../../schemas/problems.ts"

type Lines = PrescriptionCheckout["lines"]

/**
 * The lines, in which a prescription that no line names has got those that name none: the physical ones, or the digital
 * ones where there are no others. Where several prescriptions have no line, each of these lines is a fault.
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
