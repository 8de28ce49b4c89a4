/** Which lines of a reserved draft order get which prescription (Rule 11.4.3). */
import { Either } from "effect"
import type { PrescriptionCheckout } from "../../schemas/checkout/Checkout.ts"
import type { SkuUid } from "../../schemas/ids.ts"
import type { Fault } from "../../schemas/problems.ts"
import type { DraftOrder, DraftOrderLine } from "./Storefront.ts"

/** A line of the draft order and the partner's id of the prescription that it gets. */
export interface Match {
  readonly line: DraftOrderLine
  readonly id: string
}

type Body = Pick<PrescriptionCheckout, "lines" | "prescriptions">

const localId = (id: string) => id.slice(id.lastIndexOf("/") + 1)

/** Without lines, the only prescription is for the whole draft order. */
const whole = (
  { prescriptions }: Body,
  draft: DraftOrder
): Either.Either<ReadonlyArray<Match>, ReadonlyArray<Fault>> => {
  const [only, ...more] = prescriptions
  if (more.length > 0)
    return Either.left([{ field: "lines", message: "is required to tell which line is for which prescription" }])
  return Either.right(only === undefined ? [] : draft.lines.map((line) => ({ line, id: only.id })))
}

export const matchLines = (
  body: Body,
  draft: DraftOrder,
  variant: (sku_uid: SkuUid) => string
): Either.Either<ReadonlyArray<Match>, ReadonlyArray<Fault>> => {
  if (body.lines.length === 0) return whole(body, draft)
  const found = body.lines.map(({ sku_uid, prescription_id }) => ({
    id: prescription_id,
    lines: draft.lines.filter(
      ({ variant_id }) => variant_id !== null && localId(variant_id) === localId(variant(sku_uid))
    )
  }))
  const faults = found.flatMap(({ lines }, i) =>
    lines.length > 0 ? [] : [{ field: `lines[${i}].sku_uid`, message: "is not on the reserved draft order" }]
  )
  if (faults.length > 0) return Either.left(faults)
  return Either.right(found.flatMap(({ id, lines }) => (id === null ? [] : lines.map((line) => ({ line, id })))))
}
