/** Names for the identifiers that a page lists. */
import { Array, Effect } from "effect"
import { practiceRights } from "../../../http/credentials/practiceRights.ts"
import { isPartOfRead } from "../../../services/audit/AuditLog.ts"
import { type Choices, nameOf } from "../pages/rows.tsx"
import type { Visitor } from "./pages.ts"

/** Identifiers of one request: its query has at most 10,000 characters. */
const UIDS_PER_READ = 30

/** For what a page reads beside the records that it shows: no entry of its own in the audit log. */
export const asPartOfRead = Effect.locally(isPartOfRead, true)

/** Names of the patients among the records, by uid; none for a person who may not read patients. */
export const patientNames = Effect.fnUntraced(function* ({ api, staff }: Visitor, uids: ReadonlyArray<string | null>) {
  const role = staff.practice_role
  const wanted = [...new Set(uids.filter((uid) => uid !== null))]
  const mayRead = role !== null && practiceRights[role].permissions.includes("patients:read")
  const found = yield* Effect.forEach(mayRead ? Array.chunksOf(wanted, UIDS_PER_READ) : [], (some) =>
    asPartOfRead(
      api["organisation.patients"].list({ urlParams: { uids: some.join(","), page: 0, limit: some.length } })
    )
  )
  return new Map(found.flatMap(({ data }) => data.map((one) => [String(one.uid), nameOf(one)] as const)))
})

/** Names of the records' patients, and of the types and doctors of the choices, by uid. */
export const namesOf = (
  visitor: Visitor,
  records: ReadonlyArray<{ readonly patient_uid: string }>,
  { types, doctors }: Record<"types" | "doctors", Choices>
) =>
  Effect.map(
    patientNames(
      visitor,
      records.map(({ patient_uid }) => patient_uid)
    ),
    (patients) => new Map([...patients, ...types, ...doctors])
  )
