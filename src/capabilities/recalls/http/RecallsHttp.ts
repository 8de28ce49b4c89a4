import { Effect, Layer } from "effect"
import { Conditional } from "../../../http/conditional.ts"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { asDoctor } from "../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../http/group.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { inData } from "../../../http/inData.ts"
import { byKey, pagedRecords } from "../../../http/records.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { AppointmentLists } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { Recall, RecallQuery } from "../schemas/Recall.ts"
import { Recalls } from "../services/Recalls.ts"
import { RecallPagesHttp } from "./RecallPagesHttp.tsx"
import { RecallsApi } from "./RecallsApi.ts"

const group = groupOf(RecallsApi)
const recallHandling = pagedRecords(Recall, RecallQuery)

const Practice = group("management.recalls", (handlers) =>
  Effect.zipWith(Recalls, Conditional, (service, conditional) => {
    const recalls = recallHandling(service, conditional, byKey, "recall_uid")
    return handlers
      .handle("list", recalls.list)
      .handle("create", recalls.create(service.create))
      .handle("get", recalls.read(service.get))
      .handle("update", recalls.update(service.update))
      .handle("remove", recalls.remove(service.remove))
  })
)

const Statistics = group("management.recall_statistics", (handlers) =>
  Effect.map(Recalls, (recalls) =>
    handlers.handle("statistics", ({ urlParams }) =>
      inData(inOrganisation((owner) => recalls.statistics(owner, urlParams)))
    )
  )
)

const Doctors = group("doctor.recalls", (handlers) =>
  Effect.zipWith(Recalls, AppointmentLists, (recalls, lists) =>
    handlers.handle("create", (request) =>
      asDoctor((doctor) =>
        Effect.zipRight(
          lists.ensureOwnPatient(doctor, request.payload.patient_uid),
          Effect.catchTag(
            recalls.create(doctor.organisation_uid, { ...request.payload, doctor_uid: doctor.doctor_uid }),
            "DoctorNotFound",
            Effect.die
          )
        )
      )
    )
  )
)

export const RecallsHttp = Layer.mergeAll(Practice, Statistics, Doctors, RecallPagesHttp).pipe(
  Layer.provide([AppointmentLists.Default, PageHosts.Default, Respond.Default])
)
