/** Judges the rows of a bulk change one by one, and says what became of each in the order of the request. */
import { Either, Schema } from "effect"
import { faultsOfError } from "../../schemas/faults.ts"
import { type BulkResult, BulkRow, type PharmacySku } from "../../schemas/pharmacy/PharmacySku.ts"
import { changesNothing, nothingSent, type SkuChange } from "../../services/pharmacy/SkusRepo.ts"

type Judged = Either.Either<SkuChange, BulkResult>

const uidOf = (row: unknown): string | null =>
  typeof row === "object" && row !== null && "uid" in row && typeof row.uid === "string" ? row.uid : null

const refused = (uid: string | null, error: ReadonlyArray<string>): Judged =>
  Either.left({ uid, status: 400, pharmacy_sku: null, error })

const judge = (row: unknown, seen: Set<string>): Judged => {
  const decoded = Schema.decodeUnknownEither(BulkRow, { errors: "all" })(row)
  if (Either.isLeft(decoded)) return refused(uidOf(row), faultsOfError(decoded.left))
  const { uid } = decoded.right
  if (changesNothing(decoded.right)) return refused(uid, [nothingSent.message])
  if (seen.has(uid)) return refused(uid, ["uid: is in an earlier row already"])
  seen.add(uid)
  return Either.right(decoded.right)
}

export const judgeRows = (rows: ReadonlyArray<unknown>): ReadonlyArray<Judged> => {
  const seen = new Set<string>()
  return rows.map((row) => judge(row, seen))
}

export const goodRows = (judged: ReadonlyArray<Judged>): ReadonlyArray<SkuChange> =>
  judged.flatMap((row) => (Either.isRight(row) ? [row.right] : []))

export const resultsOf = (judged: ReadonlyArray<Judged>, changed: ReadonlyArray<PharmacySku>) => {
  const byUid = new Map(changed.map((sku) => [sku.uid, sku]))
  const resultOf = ({ uid }: SkuChange): BulkResult => {
    const pharmacy_sku = byUid.get(uid)
    return pharmacy_sku === undefined
      ? { uid, status: 404, pharmacy_sku: null, error: ["uid: Pharmacy SKU not found"] }
      : { uid, status: 200, pharmacy_sku, error: [] }
  }
  return { data: judged.map((row) => Either.match(row, { onLeft: (result) => result, onRight: resultOf })) }
}
