/** Healthcare services: the organisation's appointment types. */
import { Effect } from "effect"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { conditionsOf } from "./conditions.ts"
import { serviceForm } from "./forms.ts"
import { kindOf } from "./kinds.ts"

export class FhirServices extends Service<FhirServices>()("fhir/FhirServices", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { matching } = yield* AppointmentTypes
    const { isNamed, isOfType, hasSpecialty, isLike, isActive } = conditionsOf(sql)
    return kindOf(sql, {
      type: "HealthcareService",
      matching,
      hasId: ({ uid }, id) => isNamed(uid, id),
      conditions: {
        "service-type": ({ uid }, given) => isOfType(uid, given),
        specialty: ({ specialty_code }, given) => hasSpecialty([specialty_code], given),
        name: ({ name }, given) => isLike(name, given),
        active: ({ active }, given) => isActive(active, given)
      },
      form: serviceForm
    })
  }),
  dependencies: [AppointmentTypes.Default]
}) {}
