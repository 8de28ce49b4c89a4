import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { asKey, type DoctorAccess, inOrganisation } from "../../../http/credentials/credentials.ts"
import { asDoctor } from "../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../http/group.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { inData } from "../../../http/inData.ts"
import { byKey, wholeRecords } from "../../../http/records.ts"
import { KeptForms } from "../../../services/hosted/KeptForms.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { Presentations } from "../../../services/hosted/Presentations.ts"
import { BookingSessions } from "../../../services/scheduling/booking/BookingSessions.ts"
import { Form } from "../schemas/Form.ts"
import { RequestType, type RequestUid } from "../schemas/Request.ts"
import { FormFiles } from "../services/FormFiles.ts"
import { Forms } from "../services/Forms.ts"
import { Requests } from "../services/Requests.ts"
import { Responses } from "../services/Responses.ts"
import { FormPagesHttp } from "./FormPagesHttp.tsx"
import { FormsApi } from "./FormsApi.ts"
import { stored } from "./uploads.ts"

const group = groupOf(FormsApi)
const formHandling = wholeRecords(Form)

const Practice = group("management.forms", (handlers) =>
  Effect.zipWith(Forms, Conditional, (service, conditional) => {
    const forms = formHandling(service, conditional, byKey, "form_uid")
    return handlers
      .handle("list", forms.list)
      .handle("create", forms.create(service.create))
      .handle("get", forms.read(service.get))
      .handle("update", forms.update(service.update))
      .handle("remove", forms.remove(service.remove))
  })
)

const languageOf = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["accept-language"]?.slice(0, 35).split(/[,;]/)[0] ?? "de"

const Entry = group("patient.entry", (handlers) =>
  Effect.zipWith(Responses, FormFiles, (responses, files) =>
    handlers
      .handle("read_entry", ({ path, request }) => responses.entryState(path.booking_launch_code, languageOf(request)))
      .handle("answer_entry", ({ path, payload, request }) =>
        responses.enter(path.booking_launch_code, payload.answers, languageOf(request))
      )
      .handle("add_entry_file", ({ path, urlParams }) =>
        stored(files, responses.entryOf(path.booking_launch_code), urlParams)
      )
  )
)

const Intake = group("patient.intake", (handlers) =>
  Effect.zipWith(Responses, FormFiles, (responses, files) =>
    handlers
      .handle("read_intake", ({ path }) => responses.readIntake(path.code, path.form_uid))
      .handle("answer_intake", ({ path, payload }) => responses.answerIntake(path.code, path.form_uid, payload))
      .handle("add_intake_file", ({ path, urlParams }) =>
        stored(
          files,
          Effect.tap(responses.intakeOf(path.code, path.form_uid), ({ appointment, of }) =>
            responses.ensureCorrectable(appointment, of)
          ),
          urlParams
        )
      )
  )
)

const PracticeIntake = group("management.intake", (handlers) =>
  Effect.map(Responses, (responses) =>
    handlers.handle("read_answers", ({ path }) =>
      inData(asKey((caller) => responses.ofAppointment(caller, path.appointment_uid)))
    )
  )
)

const DoctorsIntake = group("doctor.intake", (handlers) =>
  Effect.map(Responses, (responses) =>
    handlers
      .handle("read_answers", ({ path }) =>
        inData(asDoctor((doctor) => responses.ofAppointment(doctor, path.appointment_uid)))
      )
      .handle("let_in", ({ path }) => asDoctor((doctor) => responses.letIn(doctor, path.appointment_uid)))
  )
)

/** A name as a header may have it: RFC 8187. */
const attachment = (name: string) =>
  `attachment; filename="${name.replaceAll(/[^\w .()-]/g, "_")}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", "%27")}`

const Download = group("form_files", (handlers) =>
  Effect.map(FormFiles, (files) =>
    handlers.handle("download", ({ path }) =>
      Effect.map(files.download(path.token), ({ name, media_type, content }) =>
        HttpServerResponse.stream(content, {
          contentType: media_type,
          headers: {
            "cache-control": "private, no-store",
            "content-disposition": attachment(name),
            "content-security-policy": "default-src 'none'; sandbox",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer"
          }
        })
      )
    )
  )
)

const typeHandling = wholeRecords(RequestType)

const Types = group("management.request_types", (handlers) =>
  Effect.zipWith(Requests, Conditional, (service, conditional) => {
    const types = typeHandling(service.types, conditional, byKey, "request_type_uid")
    return handlers
      .handle("list", types.list)
      .handle("create", types.create(service.types.create))
      .handle("get", types.read(service.types.get))
      .handle("update", types.update(service.types.update))
      .handle("remove", types.remove(service.types.remove))
  })
)

const PracticeRequests = group("management.requests", (handlers) =>
  Effect.map(Requests, (requests) =>
    handlers
      .handle("list", ({ urlParams }) => asKey((caller) => requests.list(caller, urlParams)))
      .handle("count", () => asKey(requests.count))
      .handle("get", ({ path }) => inOrganisation((owner) => requests.get(owner, path.request_uid)))
      .handle("take", ({ path }) => asKey((caller) => requests.take(caller, path.request_uid)))
      .handle("answer", ({ path, payload }) =>
        asKey((caller) => requests.answer(caller, path.request_uid, payload.text))
      )
      .handle("close", ({ path, payload }) => asKey((caller) => requests.close(caller, path.request_uid, payload)))
  )
)

const DoctorsRequests = group("doctor.requests", (handlers) =>
  Effect.map(Requests, (requests) => {
    /** Does something with a request to the doctor. */
    const own = <A, E, R>(uid: RequestUid, act: (doctor: DoctorAccess) => Effect.Effect<A, E, R>) =>
      asDoctor((doctor) => Effect.zipRight(requests.ensureOwn(doctor, uid), act(doctor)))
    return handlers
      .handle("list", () => inData(asDoctor(requests.ofDoctor)))
      .handle("get", ({ path: { request_uid: uid } }) =>
        own(uid, (doctor) => requests.get(doctor.organisation_uid, uid))
      )
      .handle("answer", ({ path: { request_uid: uid }, payload }) =>
        own(uid, (doctor) => requests.answer(doctor, uid, payload.text))
      )
      .handle("close", ({ path: { request_uid: uid }, payload }) =>
        own(uid, (doctor) => requests.close(doctor, uid, payload))
      )
  })
)

const PatientRequests = group("patient.requests", (handlers) =>
  Effect.zipWith(Requests, FormFiles, (requests, files) =>
    handlers
      .handle("create", ({ path, payload }) => requests.create(path.booking_launch_code, payload))
      .handle("add_file", ({ path, urlParams }) => stored(files, requests.filesOf(path.booking_launch_code), urlParams))
  )
)

export const FormsHttp = Layer.mergeAll(
  Practice,
  Entry,
  Intake,
  PracticeIntake,
  DoctorsIntake,
  Types,
  PracticeRequests,
  DoctorsRequests,
  PatientRequests,
  Download,
  FormPagesHttp
).pipe(
  Layer.provide([BookingSessions.Default, PageHosts.Default, Presentations.Default, KeptForms.Default, Respond.Default])
)
