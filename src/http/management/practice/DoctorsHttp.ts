import { Effect, Layer, Option, Schema } from "effect"
import type { AppointmentTypeUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Listed, ListQuery } from "../../../schemas/paging.ts"
import { DoctorSetting, DoctorSummary } from "../../../schemas/scheduling/DoctorSetting.ts"
import { DoctorSettings } from "../../../services/scheduling/practice/DoctorSettings.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { Conditional, type IfMatch, listTags, recordTags } from "../../conditional.ts"
import { currentOrganisation } from "../../credentials/credentials.ts"
import { group } from "../../group.ts"
import { inData } from "../../inData.ts"

const summaries = listTags(Listed(DoctorSummary), ListQuery)
const listed = listTags(Listed(DoctorSetting), ListQuery)
/** A missing setting has the tag of null. */
const setting = recordTags(Schema.NullOr(DoctorSetting))

interface OfDoctor {
  readonly path: { readonly doctor_uid: DoctorUid; readonly appointment_type_uid: AppointmentTypeUid }
  readonly headers: IfMatch
}

export const DoctorsHttp = group("management.doctors", (handlers) =>
  Effect.gen(function* () {
    const doctors = yield* Doctors
    const settings = yield* DoctorSettings
    const { changeIfMatch } = yield* Conditional
    const changeSetting = <A, E, R>(
      owner: OrganisationUid,
      { path: { doctor_uid, appointment_type_uid }, headers }: OfDoctor,
      change: Effect.Effect<A, E, R>
    ) =>
      changeIfMatch(
        headers,
        {
          record: Effect.map(settings.findForChange(owner, doctor_uid, appointment_type_uid), (found) =>
            setting.tagOf(Option.getOrNull(found))
          ),
          isListed: listed.isCurrent((query) => inData(settings.list(owner, doctor_uid, query)))
        },
        change
      )
    return handlers
      .handle("list", ({ urlParams }) =>
        summaries.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => doctors.list(owner, urlParams))),
          urlParams
        )
      )
      .handle("settings", ({ path, urlParams }) =>
        listed.tagged(
          inData(Effect.flatMap(currentOrganisation, (owner) => settings.list(owner, path.doctor_uid, urlParams))),
          urlParams
        )
      )
      .handle("put_setting", ({ payload, ...request }) =>
        Effect.flatMap(currentOrganisation, (owner) => {
          const { doctor_uid, appointment_type_uid } = request.path
          return changeSetting(owner, request, settings.put(owner, doctor_uid, appointment_type_uid, payload))
        }).pipe(setting.tagged)
      )
      .handle("remove_setting", (request) =>
        Effect.flatMap(currentOrganisation, (owner) => {
          const { doctor_uid, appointment_type_uid } = request.path
          return changeSetting(owner, request, settings.remove(owner, doctor_uid, appointment_type_uid))
        })
      )
  })
).pipe(Layer.provide([Conditional.Default, Doctors.Default, DoctorSettings.Default]))
