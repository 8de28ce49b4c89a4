/** Practitioners: the organisation's doctors. */
import { Effect } from "effect"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { conditionsOf } from "./conditions.ts"
import { practitionerForm, UID_SYSTEM } from "./forms.ts"
import { kindOf } from "./kinds.ts"

export class FhirPractitioners extends Service<FhirPractitioners>()("fhir/FhirPractitioners", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { matching } = yield* Doctors
    const { isNamed, isLike, identifies } = conditionsOf(sql)
    return kindOf(sql, {
      type: "Practitioner",
      matching,
      hasId: ({ uid }, id) => isNamed(uid, id),
      conditions: {
        identifier: ({ uid }, given) => identifies(given, [[UID_SYSTEM, uid]]),
        name: ({ display_name }, given) => isLike(display_name, given, true)
      },
      form: practitionerForm
    })
  }),
  dependencies: [Doctors.Default]
}) {}
