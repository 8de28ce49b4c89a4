/** Recalls: patients who are asked to come again. Rule 3.13. */
import { Effect, Schema, Struct } from "effect"
import { capability } from "../../capability.ts"
import { WEEK } from "../../schemas/seconds.ts"
import { extension } from "../../services/Extensions.ts"
import { demo } from "../shared/services/demo.ts"
import { exampleUids } from "../shared/services/exampleUids.ts"
import { addedList, MISSING, reject } from "../shared/services/provisioning/entry.ts"
import { RecallsApi } from "./http/RecallsApi.ts"
import { RecallsHttp } from "./http/RecallsHttp.ts"
import { OwnRecallCard, RecallCard } from "./pages/RecallPages.tsx"
import { recallsPage } from "./pages/recallsPage.tsx"
import { NewRecall, Recall } from "./schemas/Recall.ts"
import { RecallEntry } from "./schemas/RecallEntry.ts"
import { recallEvents, recallNotices } from "./schemas/recallEvents.ts"
import { Recalls, recallNotice } from "./services/Recalls.ts"
import { deskTextsOf } from "./texts/desk.ts"
import { noticeTexts } from "./texts/notice.ts"

const recallOf = Schema.decodeUnknown(NewRecall)

export const manifest = capability({
  name: "recalls",
  services: Recalls.Default,
  api: RecallsApi,
  http: RecallsHttp,
  events: recallEvents,
  notices: recallNotices,
  noticeTexts,
  lists: {
    recalls: {
      entry: RecallEntry,
      example: [
        {
          uid: "rcl_check",
          ...Struct.pick(exampleUids, "organisation_uid", "patient_uid", "appointment_type_uid", "doctor_uid"),
          due_date: "2035-06-01",
          message_text: "Please bring your list of medicines."
        }
      ]
    }
  },
  tables: { recalls: "organisation_uid" },
  codePages: ["/recall/:code"],
  deskOperations: ["management.recalls."],
  staffPages: {
    pages: [recallsPage],
    cards: { appointment: RecallCard, ownPatient: OwnRecallCard },
    names: (language) => {
      const { kind, actions } = deskTextsOf(language)
      return { records: { recalls: kind }, actions }
    }
  },
  patientRecords: { recalls: Recall },
  extension: Effect.map(Recalls, (recalls) =>
    extension({
      periodic: [{ name: "maintenance.recalls", every: 1, run: recalls.sendDue(), onMove: recalls.sendDue() }],
      on: { confirmed: recalls.booked },
      demo: (organisation, now) =>
        Effect.forEach([11, 29, 43], (patient, i) =>
          Effect.flatMap(
            recallOf({
              patient_uid: `pat_garten_${patient}`,
              appointment_type_uid: i === 0 ? "aty_haut" : demo.practice.consultation,
              due_date: new Date((now + (i + 1) * 8 * WEEK) * 1000).toISOString().slice(0, 10),
              message_text: i === 0 ? "Das nächste Screening ist nach zwei Jahren fällig." : null
            }),
            (recall) => recalls.create(organisation, recall)
          )
        ),
      ofPatient: (owner, patient) => ({ recalls: recalls.ofPatient(owner, patient) }),
      notices: {
        recall: { find: recalls.notice, sample: ({ url }, { language }) => recallNotice(null, url, language) }
      },
      provisioning: [
        addedList<RecallEntry>("recalls", {
          key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
          write: ({ uid, organisation_uid, ...recall }, path) =>
            recalls.provision(organisation_uid, uid, recall).pipe(
              Effect.catchTags({
                PatientNotFound: () => reject(`${path}.patient_uid`, MISSING),
                AppointmentTypeNotFound: () => reject(`${path}.appointment_type_uid`, MISSING),
                DoctorNotFound: () => reject(`${path}.doctor_uid`, MISSING)
              })
            ),
          rows: ({ uid, organisation_uid }) => [["recalls", { organisation_uid, uid }]]
        })
      ]
    })
  )
})
