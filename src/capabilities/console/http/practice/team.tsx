/** People of the practice, and who looked at a patient's record. */
import { Effect } from "effect"
import { pageOf, segment } from "../../../../http/staff/query.ts"
import { nameOf } from "../../../../pages/staff/rows.tsx"
import type { AuditEntry } from "../../../../schemas/audit/AuditEntry.ts"
import { PatientUid } from "../../../../schemas/ids.ts"
import { LookedPage } from "../../pages/practice/LookedPage.tsx"
import { TeamPage } from "../../pages/practice/TeamPage.tsx"
import type { Visitor } from "../serving/visitor.ts"
import { staffNames } from "./staffNames.ts"

const ENTRIES_PER_READ = 500
/** Reads of the log for one patient. */
const READS_MAX = 20
const PER_PAGE = 50

export const team = Effect.fn("console.team")(function* ({ api, staff, texts }: Visitor) {
  const { data } = yield* api["organisation.staff"].list({ urlParams: {} })
  const { timezone } = yield* api["organisation.settings"].one({})
  return {
    title: texts.team.title,
    zone: timezone,
    live: false,
    body: <TeamPage people={data} self={staff.actor.uid} />
  }
})

export const looked = Effect.fn("console.looked")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const patient = yield* api["organisation.patients"].one({ path: { patient_uid } })
  const { timezone } = yield* api["organisation.settings"].one({})
  const entries: Array<AuditEntry> = []
  let after: AuditEntry["id"] | null = null
  for (let read = 0; read < READS_MAX; read++) {
    const found: { readonly data: ReadonlyArray<AuditEntry>; readonly next: AuditEntry["id"] | null } = yield* api[
      "management.audit"
    ].list({ urlParams: { subject: patient_uid, limit: ENTRIES_PER_READ, ...(after !== null && { after }) } })
    entries.push(...found.data)
    after = found.next
    if (after === null) break
  }
  const page = pageOf(query)
  return {
    title: texts.team.looked.heading,
    zone: timezone,
    live: false,
    body: (
      <LookedPage
        patient={{ uid: patient.uid, name: nameOf(patient) }}
        entries={entries.toReversed().slice(page * PER_PAGE, (page + 1) * PER_PAGE)}
        page={page}
        pages={Math.ceil(entries.length / PER_PAGE)}
        names={yield* staffNames(visitor)}
      />
    )
  }
})
