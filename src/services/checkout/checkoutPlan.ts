/** Pure rules of checkouts: validation of a request, and its mapping to the storefront. */
import type {
  Address,
  BuyerIdentity,
  PatientData,
  PrescriptionCheckout,
  TreatmentCheckout
} from "../../schemas/checkout/Checkout.ts"
import type { PrescriptionUid, SkuUid } from "../../schemas/ids.ts"
import type { Fault } from "../../schemas/problems.ts"
import type { Sku } from "../pharmacy/Catalogue.ts"
import type { Attributes, StorefrontAddress } from "./Storefront.ts"

export interface SkuLine {
  readonly sku_uid: SkuUid
  readonly quantity: number
}

/** The shop's variant of a SKU; undefined if it does not sell the SKU. */
export const variantOf = (sku: Sku, kind: "embedded" | "shopify"): string | undefined =>
  sku.storefront_variant_id ?? (kind === "embedded" ? sku.sku_uid : undefined)

/** Indexes of entries with a duplicate key. */
const repeats = <A>(entries: ReadonlyArray<A>, key: (entry: A) => string): ReadonlyArray<number> => {
  const seen = new Set<string>()
  return entries.flatMap((entry, i) => {
    const again = seen.has(key(entry))
    seen.add(key(entry))
    return again ? [i] : []
  })
}

const noLines: Fault = { field: "lines", message: "is required" }
const noBuyer: Fault = { field: "buyerIdentity", message: "is required for draft_order_without_checkout_request" }

const needsBuyer = ({ checkout_type, buyerIdentity }: Pick<TreatmentCheckout, "checkout_type" | "buyerIdentity">) =>
  checkout_type === "draft_order_without_checkout_request" && buyerIdentity === null

/** Faults of unknown SKUs, or SKUs that the shop does not sell. */
export const skuFaults = (
  lines: ReadonlyArray<SkuLine>,
  skus: ReadonlyMap<SkuUid, Sku>,
  kind: "embedded" | "shopify"
): ReadonlyArray<Fault> =>
  lines.flatMap(({ sku_uid }, i) => {
    const sku = skus.get(sku_uid)
    const field = `lines[${i}].sku_uid`
    if (sku === undefined) return [{ field, message: "is not a known SKU" }]
    return variantOf(sku, kind) === undefined ? [{ field, message: "is not sold in this shop" }] : []
  })

export const treatmentFaults = (body: TreatmentCheckout): ReadonlyArray<Fault> => [
  ...(body.lines.length === 0 ? [noLines] : []),
  ...(needsBuyer(body) ? [noBuyer] : [])
]

export const reservationFaults = (lines: ReadonlyArray<SkuLine>): ReadonlyArray<Fault> =>
  lines.length === 0 ? [noLines] : []

export const prescriptionFaults = (body: PrescriptionCheckout): ReadonlyArray<Fault> => {
  const reserved = body.reserved_draft_order_id !== null
  const ids = new Set(body.prescriptions.map(({ id }) => id))
  return [
    ...repeats(body.prescriptions, ({ id }) => id).map((i) => ({
      field: `prescriptions[${i}].id`,
      message: "appears more than once in the request"
    })),
    ...(body.lines.length === 0 && body.prescriptions.length === 0 && !reserved ? [noLines] : []),
    ...(reserved ? repeats(body.lines, ({ sku_uid }) => sku_uid) : []).map((i) => ({
      field: `lines[${i}].sku_uid`,
      message: "appears more than once, so that the lines of the reserved draft order cannot be told apart"
    })),
    ...body.lines.flatMap(({ prescription_id }, i) =>
      prescription_id === null || ids.has(prescription_id)
        ? []
        : [{ field: `lines[${i}].prescription_id`, message: "is not the id of any of the prescriptions" }]
    ),
    ...(needsBuyer(body) && !reserved ? [noBuyer] : [])
  ]
}

/** Attributes of a line with a prescription. */
export const lineAttributes = (prescription_uid: PrescriptionUid | undefined): Attributes =>
  prescription_uid === undefined ? {} : { _prescription_uid: prescription_uid }

const given = (fields: Readonly<Record<string, string | number | null | undefined>>): Attributes =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]]
    )
  )

/** Attributes of the order (Rule 11.2.1), with the patient if a line without prescription will need a doctor. */
export const orderAttributes = (body: PrescriptionCheckout, unprescribed: boolean): Attributes =>
  given({
    prepaid: String(body.prepaid),
    external_order_id: body.external_order_id,
    delivery_type: body.delivery?.delivery_type,
    delivery_price: body.delivery?.delivery_price,
    transaction_id: body.transaction?.transaction_id,
    transaction_amount: body.transaction?.transaction_amount,
    ...(unprescribed ? body.patient_data : {})
  })

export const contactOf = (buyer: BuyerIdentity | null) => ({
  email: buyer?.email ?? undefined,
  phone: buyer?.phone ?? undefined
})

/** An address for the storefront. `named` supplies a missing name. */
export const addressOf = (address: Address | null, named?: PatientData): StorefrontAddress | undefined => {
  if (address === null) return undefined
  const names = address.first_name || address.last_name ? address : (named ?? address)
  return given({ ...address, first_name: names.first_name, last_name: names.last_name })
}
