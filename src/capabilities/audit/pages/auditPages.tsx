/** The console's pages of the audit log, and who looked at a patient's record. */
import { Effect, Schema } from "effect"
import type { PracticeRole } from "../../../schemas/access/PracticeRole.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { PatientUid } from "../../../schemas/ids.ts"
import { patientNames } from "../../shared/http/names.ts"
import type { AddedOperatorPage, AddedPage, OperatorVisitor, Visitor } from "../../shared/http/pages.ts"
import { pageOf, segment } from "../../shared/http/query.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import { useDesk } from "../../shared/pages/Desk.tsx"
import { nameOf } from "../../shared/pages/rows.tsx"
import { AuditApi } from "../http/AuditApi.ts"
import { type AuditEntry, AuditQuery, OwnersAuditQuery } from "../schemas/AuditEntry.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { AuditPage } from "./AuditPage.tsx"
import { auditParametersOf, auditSearchIn } from "./auditSearch.ts"
import { LookedPage } from "./LookedPage.tsx"
import { namesOfOwner, staffNames } from "./staffNames.ts"

const ZONE = "Europe/Berlin"
const ENTRIES_PER_READ = 500
/** Reads of the log for one patient. */
const READS_MAX = 20
const PER_PAGE = 50
/** The owner of the installation's own log. */
const INSTALLATION = "installation"
/** Organisations and pharmacies among which an operator chooses. */
const OWNERS_SHOWN = 20

const own = Effect.fn("console.ownAudit")(function* (visitor: Visitor) {
  const { query, language, clientOf } = visitor
  const api = yield* clientOf(AuditApi)
  const { timezone } = yield* visitor.api["organisation.settings"].one({})
  const search = auditSearchIn(query)
  const urlParams = yield* Effect.mapError(
    Schema.decodeUnknown(AuditQuery)(auditParametersOf(search, query.get("after"), timezone)),
    () => new PageNotFound()
  )
  const { data, next } = yield* api["management.audit"].list({ urlParams })
  const staff = yield* staffNames(visitor)
  const patients = yield* patientNames(
    visitor,
    data.flatMap(({ actor, subject }) => [
      actor.kind === "patient" ? actor.uid : null,
      subject !== null && staff.has(subject) ? null : subject
    ])
  )
  return {
    title: deskTextsOf(language).title,
    zone: timezone,
    live: false,
    body: <AuditPage search={search} entries={data} next={next} names={{ staff, patients }} />
  }
})

const looked = Effect.fn("console.looked")(function* (visitor: Visitor) {
  const { api, query, language, clientOf } = visitor
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const patient = yield* api["organisation.patients"].one({ path: { patient_uid } })
  const { timezone } = yield* api["organisation.settings"].one({})
  const log = (yield* clientOf(AuditApi))["management.audit"]
  const entries: Array<AuditEntry> = []
  let after: AuditEntry["id"] | null = null
  for (let read = 0; read < READS_MAX; read++) {
    const found: { readonly data: ReadonlyArray<AuditEntry>; readonly next: AuditEntry["id"] | null } = yield* log.list(
      { urlParams: { subject: patient_uid, limit: ENTRIES_PER_READ, ...(after !== null && { after }) } }
    )
    entries.push(...found.data)
    after = found.next
    if (after === null) break
  }
  const page = pageOf(query)
  return {
    title: deskTextsOf(language).looked.heading,
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

/** The owner whose uid or whole name is entered, or the only one with this part of a name; else those among whom to choose. */
const ownersOf = Effect.fnUntraced(function* ({ owners }: OperatorVisitor, entered: string) {
  const exact = yield* owners({ uids: entered }, OWNERS_SHOWN)
  const found = exact.length > 0 ? exact : yield* owners({ search: entered }, OWNERS_SHOWN)
  const named = found.filter(({ name }) => name.toLowerCase() === entered.toLowerCase())
  return named.length === 1 ? named : found
})

const ofOwner = Effect.fn("console.audit")(function* (visitor: OperatorVisitor) {
  const { clientOf, query, language } = visitor
  const search = auditSearchIn(query)
  const { title, installation } = deskTextsOf(language)
  const owners =
    search.owner === ""
      ? []
      : search.owner === INSTALLATION
        ? [{ uid: INSTALLATION, name: installation }]
        : yield* ownersOf(visitor, search.owner)
  const [owner] = owners
  const { data, next } =
    owners.length !== 1
      ? { data: null, next: null }
      : yield* Effect.flatMap(
          Effect.mapError(
            Schema.decodeUnknown(OwnersAuditQuery)({
              owner_uid: owner?.uid,
              ...auditParametersOf(search, query.get("after"), ZONE)
            }),
            () => new PageNotFound()
          ),
          (urlParams) => Effect.flatMap(clientOf(AuditApi), (api) => api["operator.audit"].list({ urlParams }))
        )
  const staff =
    data === null || owner === undefined ? new Map<string, string>() : yield* namesOfOwner(visitor, owner.uid)
  const names = { staff, patients: new Map<string, string>() }
  return {
    title,
    live: false,
    body: <AuditPage search={search} owners={owners} entries={data} next={next} names={names} />
  }
})

/** Roles without `audit:read`. */
const hiddenFrom: ReadonlyArray<PracticeRole> = ["reception", "assistant", "doctor_assistant", "billing", "read_only"]

export const auditPages: ReadonlyArray<AddedPage> = [
  {
    path: "audit",
    entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/settings" },
    hiddenFrom,
    show: own
  },
  { path: "patients/:uid/looked", hiddenFrom: [], show: looked }
]

export const auditOfOwnerPage: AddedOperatorPage = {
  path: "audit",
  text: (language) => deskTextsOf(language).title,
  show: ofOwner
}

/** The link to who looked at a patient's record. */
export const LookedLink = ({ patient_uid }: AddedCardProps["patientHead"]) => {
  const { language, isOwner } = useDesk()
  return (
    <a class="quiet" href={`/console/practice/patients/${patient_uid}/looked`} hidden={!isOwner}>
      {deskTextsOf(language).looked.link}
    </a>
  )
}
