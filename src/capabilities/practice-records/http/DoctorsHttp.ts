import { Effect, flow, Layer, Option, Schema } from "effect"
import { Conditional, listTags } from "../../../http/conditional.ts"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { inData } from "../../../http/inData.ts"
import { doctorOf } from "../../../http/management/practice/kinds.ts"
import { below, byKey, listedRecords } from "../../../http/records.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { DoctorSetting, DoctorSummary } from "../../../schemas/scheduling/DoctorSetting.ts"
import { DoctorSettings } from "../../../services/scheduling/practice/DoctorSettings.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { group } from "./group.ts"

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
