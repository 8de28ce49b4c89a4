/** The waiting list: patients who wait for a time that becomes free. Section 19. */
import { Effect, Layer, Schema } from "effect"
import { capability } from "../../capability.ts"
import { DAY, WEEK } from "../../schemas/seconds.ts"
import { extension } from "../../services/Extensions.ts"
import { exampleUids } from "../shared/services/exampleUids.ts"
import { addedList, rejectAll } from "../shared/services/provisioning/entry.ts"
import { WaitlistApi } from "./http/WaitlistApi.ts"
import { WaitlistHttp } from "./http/WaitlistHttp.ts"
import { TypeField, WaitlistCard } from "./pages/PracticePages.tsx"
import { entriesOfPatient, waitlistPages } from "./pages/waitlistPages.tsx"
import { keptEntries, waitlistOrganisationFields, waitlistTypeFields } from "./schemas/addedFields.ts"
import { ExportedWaitlistEntry } from "./schemas/Waitlist.ts"
import { WaitlistEntryEntry } from "./schemas/WaitlistEntryEntry.ts"
import { waitlistEvents, waitlistNoticeKinds } from "./schemas/waitlistEvents.ts"
import { Entries } from "./services/Entries.ts"
import { waitingListFollows } from "./services/follows.ts"
import { Offers } from "./services/Offers.ts"
import { WaitlistSignups } from "./services/WaitlistSignups.ts"
import { sampleOffer, samplePause, waitlistNotices } from "./services/waitlistNotices.ts"
import { deskTextsOf } from "./texts/desk.ts"
import { noticeTexts } from "./texts/notice.ts"
import { pageTextsOf } from "./texts/page.ts"

const entryOf = Schema.decodeUnknown(WaitlistEntryEntry)

export const manifest = capability({
  name: "waiting-list",
  services: Layer.mergeAll(Entries.Default, Offers.Default, WaitlistSignups.Default),
  api: WaitlistApi,
  http: WaitlistHttp,
  events: waitlistEvents,
  notices: waitlistNoticeKinds,
  noticeTexts,
  lists: {
    waitlist_entries: {
      entry: WaitlistEntryEntry,
      example: [
        {
          uid: "wle_first",
          organisation_uid: exampleUids.organisation_uid,
          patient_uid: exampleUids.patient_uid,
          appointment_type_uid: exampleUids.appointment_type_uid,
          from: 2_051_856_000,
          to: 2_054_448_000,
          weekdays: [0, 2],
          times: [{ from: 480, to: 720 }],
          need: "soon"
        }
      ]
    }
  },
  retentionKinds: { waitlist: keptEntries },
  typeFields: waitlistTypeFields,
  organisationFields: waitlistOrganisationFields,
  tables: {
    waitlist_openings: "organisation_uid",
    waitlist_offers: "organisation_uid",
    waitlist_entries: "organisation_uid"
  },
  codePages: ["/waitlist/:code"],
  staffPages: {
    pages: waitlistPages,
    cards: { patient: WaitlistCard, typeFields: TypeField },
    below: { "patients/:uid": entriesOfPatient },
    names: (language) => ({
      records: { waitlist_entries: deskTextsOf(language).title },
      actions: {},
      kept: { waitlist: deskTextsOf(language).title }
    })
  },
  patientRecords: { waitlist_entries: ExportedWaitlistEntry },
  extension: Effect.map(Effect.all([Entries, Offers, WaitlistSignups]), ([entries, offers, signups]) => {
    const notices = waitlistNotices(offers)
    return extension({
      ...waitingListFollows(offers),
      periodic: [{ name: "maintenance.waitlist", every: 1, run: offers.runDue(), onMove: offers.runDue() }],
      noTimeSuits: (owner, types, language) =>
        Effect.map(entries.isOnPages(owner, ...types), (isOn) =>
          isOn ? { path: "/waitlist", texts: pageTextsOf(language).ask } : null
        ),
      earlierTimes: signups.earlierTimes,
      notices: {
        waitlist_offer: { find: notices.offer, sample: (facts, { language }) => sampleOffer(facts, language) },
        waitlist_paused: { find: notices.paused, sample: (facts, { language }) => samplePause(facts, language) }
      },
      demo: (organisation_uid, now) =>
        Effect.forEach(
          [
            { uid: "wle_1", patient_uid: "pat_garten_5", appointment_type_uid: "aty_therapie", need: "urgent" },
            { uid: "wle_2", patient_uid: "pat_garten_9", appointment_type_uid: "aty_therapie", need: "soon" },
            {
              uid: "wle_3",
              patient_uid: "pat_garten_21",
              appointment_type_uid: "aty_haut",
              doctor_uids: ["doc_yilmaz"]
            },
            { uid: "wle_4", patient_uid: "pat_garten_43", appointment_type_uid: "aty_erst", weekdays: [4] }
          ],
          (entry) =>
            Effect.flatMap(
              entryOf({ ...entry, organisation_uid, from: now + 2 * DAY, to: now + 6 * WEEK }),
              entries.provision
            )
        ),
      ofPatient: (owner, patient) => ({ waitlist_entries: entries.exported(owner, patient) }),
      provisioning: [
        addedList<WaitlistEntryEntry>("waitlist_entries", {
          key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
          write: (entry, path) =>
            Effect.catchTag(entries.provision(entry), "Invalid", ({ faults }) => rejectAll(path, faults)),
          rows: ({ uid, organisation_uid }) => [["waitlist_entries", { organisation_uid, uid }]]
        })
      ]
    })
  })
})
