/** Validates the rows of a bulk change separately and returns the result of each in the order of the request. */
import { Either, Schema } from "effect"
import { faultsOfError } from "../../schemas/faults.ts"
import type { PharmacySkuUid } from "../../schemas/ids.ts"
import { PharmacySkuNotFound } from "../../schemas/pharmacy/errors.ts"
import { type BulkResult, BulkRow, type PharmacySku } from "../../schemas/pharmacy/PharmacySku.ts"
import { PreconditionFailed } from "../../schemas/problems.ts"

type Validated = Either.Either<typeof BulkRow.Type, BulkResult>
export type ValidatedRows = ReadonlyArray<Validated>

const uidOf = (row: unknown): string | null =>
  typeof row === "object" && row !== null && "uid" in row && typeof row.uid === "string" ? row.uid : null

const refused = (uid: string | null, error: ReadonlyArray<string>): Validated =>
  Either.left({ uid, status: 400, pharmacy_sku: null, error })

const validate = (row: unknown, seen: Set<string>): Validated => {
  const decoded = Schema.decodeUnknownEither(BulkRow, { errors: "all" })(row)
  if (Either.isLeft(decoded)) return refused(uidOf(row), faultsOfError(decoded.left))
  const { uid } = decoded.right
  if (seen.has(uid)) return refused(uid, ["uid: is in an earlier row already"])
  seen.add(uid)
  return Either.right(decoded.right)
}

export const validateRows = (rows: ReadonlyArray<unknown>): ValidatedRows => {
  const seen = new Set<string>()
  return rows.map((row) => validate(row, seen))
}

export const validRows = (validated: ValidatedRows) =>
  validated.flatMap((row) => (Either.isRight(row) ? [row.right] : []))

/** `stale`: the SKUs that were changed since they were read. */
export const resultsOf = (
  validated: ValidatedRows,
  changed: ReadonlyArray<PharmacySku>,
  stale: ReadonlySet<PharmacySkuUid>
) => {
  const byUid = new Map(changed.map((sku) => [sku.uid, sku]))
  const resultOf = ({ uid }: typeof BulkRow.Type): BulkResult => {
    const pharmacy_sku = byUid.get(uid)
    if (stale.has(uid))
      return { uid, status: 412, pharmacy_sku: null, error: [`if_match: ${PreconditionFailed.meaning}`] }
    return pharmacy_sku === undefined
      ? { uid, status: 404, pharmacy_sku: null, error: [`uid: ${PharmacySkuNotFound.meaning}`] }
      : { uid, status: 200, pharmacy_sku, error: [] }
  }
  return { data: validated.map((row) => Either.match(row, { onLeft: (result) => result, onRight: resultOf })) }
}
