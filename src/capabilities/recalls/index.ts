/** Recalls: patients who are asked to come again. Rule 3.13. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension } from "../../services/Extensions.ts"
import { addedList, MISSING, reject } from "../../services/provisioning/entry.ts"
import { RecallsApi } from "./http/RecallsApi.ts"
import { RecallsHttp } from "./http/RecallsHttp.ts"
import recalls from "./migrations/0001.sql" with { type: "text" }
import { OwnRecallCard, RecallCard } from "./pages/RecallPages.tsx"
import { recallsPage } from "./pages/recallsPage.tsx"
import { Recall } from "./schemas/Recall.ts"
import { RecallEntry } from "./schemas/RecallEntry.ts"
import { recallEvents, recallNotices } from "./schemas/recallEvents.ts"
import { Recalls, recallNotice } from "./services/Recalls.ts"
import { noticeTexts } from "./texts/notice.ts"

export const recallsCapability = capability({
  name: "recalls",
  migrations: [{ name: "recalls/0001", text: recalls }],
  services: Recalls.Default,
  api: RecallsApi,
  http: RecallsHttp,
  events: recallEvents,
  notices: recallNotices,
  noticeTexts,
  lists: { recalls: RecallEntry },
  patientRecords: { recalls: Recall },
  pages: [recallsPage],
  cards: { appointment: RecallCard, ownPatient: OwnRecallCard },
  extension: Effect.map(Recalls, (recalls) =>
    extension({
      periodic: [{ name: "maintenance.recalls", every: 1, run: recalls.sendDue(), onMove: recalls.sendDue() }],
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
