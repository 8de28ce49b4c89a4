import { Effect, flow, Layer, Option, Schema } from "effect"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { DoctorSetting, DoctorSummary } from "../../../schemas/scheduling/DoctorSetting.ts"
import { DoctorSettings } from "../../../services/scheduling/practice/DoctorSettings.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Conditional, listTags } from "../../conditional.ts"
import { inOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { inData } from "../../inData.ts"
import { below, byKey, listedRecords } from "../../records.ts"
import { doctorOf } from "./kinds.ts"

const summaries = listTags(Listed(DoctorSummary), ListQuery)
/** A missing setting has the tag of null. */
const settingHandling = listedRecords(DoctorSetting, ListQuery, Schema.NullOr(DoctorSetting))

export const DoctorsHttp = group("management.doctors", (handlers) =>
  Effect.gen(function* () {
    const doctors = yield* Doctors
    const service = yield* DoctorSettings
    const settings = settingHandling(
      { list: service.list, findForChange: flow(service.findForChange, Effect.map(Option.getOrNull)) },
      yield* Conditional,
      below(byKey, doctorOf),
      "appointment_type_uid"
    )
    return handlers
      .handle("list", ({ urlParams }) =>
        summaries.tagged(inData(inOrganisation((owner) => doctors.list(owner, urlParams))), urlParams)
      )
      .handle("settings", settings.list)
      .handle("put_setting", settings.update(service.put))
      .handle("remove_setting", settings.remove(service.remove))
  })
).pipe(Layer.provide([Doctors.Default, DoctorSettings.Default]))
