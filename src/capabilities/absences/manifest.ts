/** Absences: times in which doctors are away, and what becomes of their appointments. Rule 3.14. */
import { Effect, Schema } from "effect"
import { capability } from "../../capability.ts"
import { extension, jobOf } from "../../services/Extensions.ts"
import { AbsencesApi } from "./http/AbsencesApi.ts"
import { AbsencesHttp } from "./http/AbsencesHttp.ts"
import { absencesPage } from "./pages/absencesPage.tsx"
import { AbsencePeriod } from "./schemas/Absence.ts"
import { offeringEvents, offeringNotices } from "./schemas/offering.ts"
import { Absences, absenceQueues } from "./services/Absences.ts"
import { deskTextsOf, kindText } from "./texts/desk.ts"
import { noticeTexts } from "./texts/notice.ts"

export const manifest = capability({
  name: "absences",
  services: Absences.Default,
  api: AbsencesApi,
  http: AbsencesHttp,
  queues: absenceQueues,
  events: offeringEvents,
  notices: offeringNotices,
  noticeTexts,
  calendarFields: {
    absences: Schema.Array(AbsencePeriod).annotations({
      description: "Absences of the doctor, and of all doctors, by start"
    })
  },
  tables: { absences: "organisation_uid", absence_appointments: "organisation_uid" },
  deskOperations: ["management.absences."],
  staffPages: {
    pages: [absencesPage],
    inCalendar: ({ absences = [] }, language) =>
      absences.map(({ kind, from, to }) => ({ from, to, text: kindText(language, kind) })),
    names: (language) => ({ records: {}, actions: deskTextsOf(language).actions })
  },
  extension: Effect.map(Absences, (absences) =>
    extension({
      jobs: [
        jobOf("absence.settle", ({ organisation_uid, absence_uid }) => absences.settle(organisation_uid, absence_uid))
      ],
      inCalendar: (owner, query) =>
        Effect.map(absences.list(owner, query), (all) => ({ kind, uid: subject }) => ({
          absences: all
            .filter(({ doctor_uid }) => kind === "doctor" && (doctor_uid === null || doctor_uid === subject))
            .map(({ uid, kind, from, to }) => ({ uid, kind, from, to }))
        }))
    })
  )
})
