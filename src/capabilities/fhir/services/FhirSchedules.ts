/** Schedules: one for each doctor and type that the doctor offers or has a setting for. */
import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import type { FieldsOf } from "../../../services/database/matching.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { DoctorSettings, type DoctorWithType } from "../../shared/services/DoctorSettings.ts"
import { conditionsOf } from "./conditions.ts"
import { scheduleForm } from "./forms.ts"
import { type SchedulePlace, scheduleIn } from "./ids.ts"
import { kindOf } from "./kinds.ts"
import type { Given } from "./parameters.ts"

type Fields = FieldsOf<DoctorWithType>

export class FhirSchedules extends Service<FhirSchedules>()("fhir/FhirSchedules", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { matching } = yield* DoctorSettings
    const { either, isNamed, isAt, isOfType, hasSpecialty, isActive } = conditionsOf(sql)

    const hasId = ({ doctor_uid, type_uid }: Fields, id: string) => {
      const place = scheduleIn(id)
      return place === undefined ? sql`false` : isAt(doctor_uid, type_uid, place)
    }
    const isOfActor = ({ doctor_uid }: Fields, { targets }: Given) =>
      either(targets.map(({ id }) => isNamed(doctor_uid, id)))

    const kind = kindOf(sql, {
      type: "Schedule",
      matching,
      present: ({ related }) => related,
      hasId,
      conditions: {
        "service-type": ({ type_uid }, given) => isOfType(type_uid, given),
        specialty: ({ type_specialty, doctor_specialty }, given) =>
          hasSpecialty([type_specialty, doctor_specialty], given),
        actor: isOfActor,
        active: ({ active }, given) => isActive(active, given)
      },
      form: scheduleForm
    })

    /** The schedules of a Slot search. */
    const ofSearch = (owner: OrganisationUid, given: ReadonlyArray<Given>) =>
      matching.all(owner, (fields) =>
        sql.and([
          sql`${fields.related} AND NOT ${fields.deleted}`,
          ...given.map((one) =>
            one.name === "schedule.actor"
              ? isOfActor(fields, one)
              : either(one.targets.map(({ id }) => hasId(fields, id)))
          )
        ])
      )

    /** The doctor and the type of a schedule's or a slot's id, also of deleted ones; undefined without them. */
    const at = (owner: OrganisationUid, place: SchedulePlace | undefined) =>
      place === undefined
        ? Effect.succeed(undefined)
        : Effect.map(
            matching.all(owner, ({ doctor_uid, type_uid }) => isAt(doctor_uid, type_uid, place)),
            ([found]) => found
          )

    return { ...kind, ofSearch, at } as const
  }),
  dependencies: [DoctorSettings.Default]
}) {}
