import { Effect, Layer } from "effect"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { DoctorSummary } from "../../../schemas/scheduling/DoctorSetting.ts"
import { DoctorSettings } from "../../../services/scheduling/practice/DoctorSettings.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { listTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { inData } from "../../inData.ts"

const summaries = listTags(Listed(DoctorSummary), ListQuery)

export const DoctorsHttp = group("management.doctors", (handlers) =>
  Effect.zipWith(Doctors, DoctorSettings, (doctors, settings) =>
    handlers
      .handle("list", ({ urlParams }) =>
        summaries.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => doctors.list(owner, urlParams))),
          urlParams
        )
      )
      .handle("settings", ({ path, urlParams }) =>
        inData(Effect.flatMap(currentOrganisation, (owner) => settings.list(owner, path.doctor_uid, urlParams)))
      )
      .handle("put_setting", ({ path, payload }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          settings.put(owner, path.doctor_uid, path.appointment_type_uid, payload)
        )
      )
      .handle("remove_setting", ({ path }) =>
        Effect.flatMap(currentOrganisation, (owner) =>
          settings.remove(owner, path.doctor_uid, path.appointment_type_uid)
        )
      )
  )
).pipe(Layer.provide([Doctors.Default, DoctorSettings.Default]))
