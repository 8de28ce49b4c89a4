/** Forms: questions before booking, before the visit, and instead of a visit. Section 22. */
import { Effect, Layer } from "effect"
import { capability } from "../../capability.ts"
import type { AcceptedBody } from "../../http/admission/bodyLimits.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import type { Invalid } from "../../schemas/problems.ts"
import { Sql } from "../../services/database/Sql.ts"
import { extension } from "../../services/Extensions.ts"
import { AppointmentTypes } from "../../services/scheduling/practice/AppointmentTypes.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"
import { exampleUids } from "../shared/services/exampleUids.ts"
import { addedList, reject, rejectAll } from "../shared/services/provisioning/entry.ts"
import { FormsApi } from "./http/FormsApi.ts"
import { FormsHttp } from "./http/FormsHttp.ts"
import { ScannerLive } from "./layers/Clamd.ts"
import { appointmentPart, cardPart, formPages, ownRequestsPart, typePart } from "./pages/consolePages.tsx"
import { units } from "./pages/units.ts"
import type { FilesOff } from "./schemas/errors.ts"
import { FormEntry } from "./schemas/Form.ts"
import { keptForms } from "./schemas/keptForms.ts"
import { ExportedRequest, RequestTypeEntry } from "./schemas/Request.ts"
import { requestEvents, requestNotices } from "./schemas/requestEvents.ts"
import { Entry, FILE_MAX, Intake, PatientForm } from "./schemas/TypeFields.ts"
import { demoForms } from "./services/demo.ts"
import { exchanged } from "./services/exchange.ts"
import { FormFiles } from "./services/FormFiles.ts"
import { Forms } from "./services/Forms.ts"
import { Requests } from "./services/Requests.ts"
import { Responses } from "./services/Responses.ts"
import { deskTextsOf } from "./texts/desk.ts"
import { requestTexts } from "./texts/requests.ts"

/** A screen of a form, with files. */
const upload: AcceptedBody = { kind: "bytes", limit: FILE_MAX + 1024 * 1024, values: 0 }

const services = Layer.mergeAll(
  Forms.Default,
  FormFiles.Default,
  Responses.Default,
  Requests.Default,
  AppointmentTypes.Default
).pipe(Layer.provide(ScannerLive))

const exampleForm = "frm_anamnesis"

/** Entries of a provisioning file, each a row of the list's table. */
const entries = <Entry extends { readonly uid: string; readonly organisation_uid: OrganisationUid }>(
  table: "forms" | "request_types",
  provision: (
    owner: OrganisationUid,
    uid: Entry["uid"],
    sent: Omit<Entry, "uid" | "organisation_uid">
  ) => Effect.Effect<unknown, Invalid | FilesOff, CurrentTenant>
) =>
  addedList<Entry>(table, {
    key: ({ uid, organisation_uid }) => `${organisation_uid}/${uid}`,
    rows: ({ uid, organisation_uid }) => [[table, { organisation_uid, uid }]],
    write: ({ uid, organisation_uid, ...sent }, path) =>
      provision(organisation_uid, uid, sent).pipe(
        Effect.catchTags({
          Invalid: ({ faults }) => rejectAll(path, faults),
          FilesOff: ({ message }) => reject(`${path}.items`, message)
        })
      )
  })

export const manifest = capability({
  name: "forms",
  services,
  api: FormsApi,
  http: FormsHttp,
  lists: {
    forms: {
      entry: FormEntry,
      example: [
        {
          uid: exampleForm,
          organisation_uid: exampleUids.organisation_uid,
          title: { de: "Anamnese", en: "Medical history" },
          items: [
            {
              link_id: "allergies",
              type: "boolean",
              text: { de: "Haben Sie Allergien?", en: "Do you have allergies?" }
            }
          ]
        }
      ]
    },
    request_types: {
      entry: RequestTypeEntry,
      example: [
        {
          uid: "rqt_prescription",
          organisation_uid: exampleUids.organisation_uid,
          name: { de: "Wiederholungsrezept", en: "Repeat prescription" },
          kind: "prescription",
          form_uid: exampleForm,
          answer_within_minutes: 1440,
          recipient: "doctor"
        }
      ]
    }
  },
  tables: {
    forms: "organisation_uid",
    form_versions: "organisation_uid",
    form_responses: "organisation_uid",
    form_files: "organisation_uid",
    intake_let_ins: "organisation_uid",
    intake_looks: "organisation_uid",
    request_types: "organisation_uid",
    requests: "organisation_uid"
  },
  retentionKinds: { forms: keptForms },
  typeFields: { entry: { schema: Entry, absent: null }, intake: { schema: Intake, absent: [] } },
  sessionModes: { request: "/requests" },
  patientRecords: { form_responses: PatientForm, requests: ExportedRequest },
  events: requestEvents,
  notices: requestNotices,
  noticeTexts: requestTexts,
  bodies: {
    "POST /booking/:code/questions": upload,
    "POST /booking/:code/requests/": upload,
    "POST /appointment/:code/intake/": upload
  },
  staffPages: {
    pages: formPages,
    units,
    below: {
      types: typePart,
      "appointments/:uid": appointmentPart,
      doctor: ownRequestsPart,
      "doctor/patients/:uid": cardPart
    },
    names: (language) => {
      const { kindOfRecords, kindOfResponses, kindOfKept, actions } = deskTextsOf(language)
      return {
        records: { requests: kindOfRecords, form_responses: kindOfResponses },
        actions,
        kept: { forms: kindOfKept }
      }
    }
  },
  codePages: ["/request/:code"],
  deskOperations: ["management.requests.", "management.intake."],
  extension: Effect.map(
    Effect.all([Sql, Forms, Responses, FormFiles, Requests, AppointmentTypes]),
    ([sql, forms, responses, files, requests, types]) =>
      extension({
        typeFields: responses.ensureAsked,
        beforeHold: responses.beforeHold,
        beforeTimes: responses.beforeTimes,
        beforeJoin: responses.beforeJoin,
        publicPurpose: requests.publicPurpose,
        toDo: responses.toDo,
        periodic: [
          { name: "maintenance.form_files", every: 1, run: files.scanDue(), onMove: files.scanDue() },
          { name: "maintenance.requests", every: 1, run: requests.warnDue(), onMove: requests.warnDue() }
        ],
        exchanged: exchanged({ forms, responses }),
        demo: (organisation, now) => demoForms({ sql, forms, responses, requests, types }, organisation, now),
        provisioningOfTypes: [entries<FormEntry>("forms", forms.provision)],
        provisioning: [entries<RequestTypeEntry>("request_types", requests.types.provision)],
        ofPatient: (owner, patient) => ({
          form_responses: responses.ofPatient(owner, patient),
          requests: requests.ofPatient(owner, patient)
        }),
        notices: requests.notices
      })
  )
})
