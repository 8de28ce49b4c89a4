/** Pure: matches lines of a reserved draft order to prescriptions (Rule 11.4.3), and collects the articles of each prescription. */
import { Either } from "effect"
import type { PrescriptionCheckout } from "../../schemas/checkout/Checkout.ts"
import type { SkuUid } from "../../schemas/ids.ts"
import type { Fault } from "../../schemas/problems.ts"
import type { DraftOrder, DraftOrderLine } from "./Storefront.ts"

/** A line of the draft order and the partner's id of its prescription. */
export interface Match {
  readonly line: DraftOrderLine
  readonly id: string
}

export interface PrescribedArticle {
  readonly prescription_id: string
  readonly sku_uid: SkuUid
  readonly quantity: number
}

export interface ReservedLines {
  readonly matches: ReadonlyArray<Match>
  readonly articles: ReadonlyArray<PrescribedArticle>
}

/** Catalogue look-ups for the SKUs of the request and the draft order. */
export interface Articles {
  readonly variantOf: (sku_uid: SkuUid) => string
  /** Undefined for a line without a known SKU. */
  readonly skuOf: (variant_id: string | null) => SkuUid | undefined
}

type Body = Pick<PrescriptionCheckout, "lines" | "prescriptions">
type Result = Either.Either<ReservedLines, ReadonlyArray<Fault>>

const numericId = (id: string) => id.slice(id.lastIndexOf("/") + 1)

/** Without lines, the only prescription covers the whole draft order; several cover none of its lines. */
const whole = ({ prescriptions }: Body, draft: DraftOrder, { skuOf }: Articles): Result => {
  const [only, ...more] = prescriptions
  if (only === undefined || more.length > 0) return Either.right({ matches: [], articles: [] })
  return Either.right({
    matches: draft.lines.map((line) => ({ line, id: only.id })),
    articles: draft.lines.flatMap(({ variant_id, quantity }) => {
      const sku_uid = skuOf(variant_id)
      return sku_uid === undefined ? [] : [{ prescription_id: only.id, sku_uid, quantity }]
    })
  })
}

/** A prescription covers at least the quantities of the draft order's lines, which will be ordered. */
export const matchLines = (body: Body, draft: DraftOrder, articles: Articles): Result => {
  if (body.lines.length === 0) return whole(body, draft, articles)
  const found = body.lines.map(({ sku_uid, quantity, prescription_id }) => ({
    sku_uid,
    quantity,
    prescription_id,
    lines: draft.lines.filter(
      ({ variant_id }) => variant_id !== null && numericId(variant_id) === numericId(articles.variantOf(sku_uid))
    )
  }))
  const faults = found.flatMap(({ lines }, i) =>
    lines.length > 0 ? [] : [{ field: `lines[${i}].sku_uid`, message: "is not on the reserved draft order" }]
  )
  if (faults.length > 0) return Either.left(faults)
  const prescribed = found.flatMap((one) =>
    one.prescription_id === null ? [] : [{ ...one, prescription_id: one.prescription_id }]
  )
  return Either.right({
    matches: prescribed.flatMap(({ prescription_id: id, lines }) => lines.map((line) => ({ line, id }))),
    articles: prescribed.map(({ prescription_id, sku_uid, quantity, lines }) => {
      const reserved = lines.reduce((sum, line) => sum + line.quantity, 0)
      return { prescription_id, sku_uid, quantity: Math.max(quantity, reserved) }
    })
  })
}
