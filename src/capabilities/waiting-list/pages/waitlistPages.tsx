/** The console's pages of the waiting list. */
import { Effect, Option, Schema } from "effect"
import { AppointmentTypeUid, PatientUid } from "../../../schemas/ids.ts"
import { choicesOf } from "../../shared/http/choices.ts"
import { namesOf } from "../../shared/http/names.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import { pageOf, segment } from "../../shared/http/query.ts"
import { WaitlistApi } from "../http/WaitlistApi.ts"
import { WaitlistSettings } from "../schemas/addedFields.ts"
import { EntryStatus, Need, WaitlistEntryUid } from "../schemas/Waitlist.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { isLive, PatientsEntries, WaitlistEntryPage, WaitlistPage } from "./PracticePages.tsx"

const PAGE_SIZE = 20

const chosen =
  <A extends string>(schema: Schema.Schema<A>) =>
  (value: string | null) =>
    Option.getOrNull(Schema.decodeUnknownOption(schema)(value))
const isStatus = chosen(EntryStatus)
const isNeed = chosen(Need)
const liveStatuses = ["waiting", "offered", "paused"] as const

const list = Effect.fn("console.waitlist")(function* (visitor: Visitor) {
  const { clientOf, query } = visitor
  const api = yield* clientOf(WaitlistApi)
  const { types, doctors, zone } = yield* choicesOf(visitor)
  const page = pageOf(query)
  const asked = query.get("status") ?? "open"
  const status = isStatus(asked)
  const need = isNeed(query.get("need"))
  const type = types.find(([uid]) => uid === query.get("type"))?.[0]
  const read = (status: EntryStatus | null) =>
    api["management.waitlist"].list({
      urlParams: {
        page,
        limit: PAGE_SIZE,
        ...(status !== null && { status }),
        ...(need !== null && { need }),
        ...(type !== undefined && { appointment_type_uid: AppointmentTypeUid.make(type) })
      }
    })
  const found =
    asked === "open"
      ? yield* Effect.map(Effect.forEach(liveStatuses, read), (lists) => ({
          data: lists.flatMap(({ data }) => data).toSorted((a, b) => a.created_at - b.created_at),
          totalPages: Math.max(...lists.map(({ totalPages }) => totalPages))
        }))
      : yield* read(status)
  const names = yield* namesOf(visitor, found.data, { types, doctors })
  const { waitlist_paused } = yield* Schema.decodeUnknown(WaitlistSettings)(
    yield* visitor.api["organisation.settings"].one({})
  )
  return {
    title: deskTextsOf(visitor.language).title,
    zone,
    body: (
      <WaitlistPage
        entries={found.data}
        filter={{ status: asked, need: need ?? "", type: type ?? "" }}
        page={page}
        pages={found.totalPages}
        types={types}
        names={names}
        isPaused={waitlist_paused}
      />
    )
  }
})

const entry = Effect.fn("console.waitlistEntry")(function* (visitor: Visitor) {
  const { clientOf } = visitor
  const api = yield* clientOf(WaitlistApi)
  const path = { waitlist_entry_uid: WaitlistEntryUid.make(yield* segment("uid")) }
  const found = yield* api["management.waitlist"].get({ path })
  const offers = yield* api["management.waitlist"].offers({ path })
  const { zone, ...choices } = yield* choicesOf(visitor)
  const names = yield* namesOf(visitor, [found], choices)
  return {
    title: deskTextsOf(visitor.language).title,
    zone,
    body: <WaitlistEntryPage entry={found} offers={offers} names={names} />
  }
})

/** At the end of a patient's page: what the patient waits for. */
export const entriesOfPatient = Effect.fn("console.patientsEntries")(function* (visitor: Visitor) {
  const api = yield* visitor.clientOf(WaitlistApi)
  const patient_uid = PatientUid.make(yield* segment("uid"))
  const { data } = yield* api["management.waitlist"].list({ urlParams: { page: 0, limit: PAGE_SIZE, patient_uid } })
  const live = data.filter(isLive)
  if (live.length === 0) return null
  const choices = yield* choicesOf(visitor)
  return <PatientsEntries entries={live} names={yield* namesOf(visitor, live, choices)} />
})

const hiddenFrom = ["billing", "read_only"] as const

export const waitlistPages: ReadonlyArray<AddedPage> = [
  {
    path: "waitlist",
    entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/patients" },
    hiddenFrom,
    show: list
  },
  { path: "waitlist/:uid", hiddenFrom, show: entry }
]
