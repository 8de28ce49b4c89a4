/** Patients, and records that were merged into others. */
import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { PatientsRepo } from "../../../services/patients/PatientsRepo.ts"
import { Service } from "../../../services/Service.ts"
import { conditionsOf } from "./conditions.ts"
import { CUSTOMER_SYSTEM, customerOf, mergedForm, patientForm, UID_SYSTEM } from "./forms.ts"
import { type Interactions, kindOf } from "./kinds.ts"
import { tokenOf } from "./parameters.ts"

export class FhirPatients extends Service<FhirPatients>()("fhir/FhirPatients", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const patients = yield* PatientsRepo
    const { either, isNamed, isLike, identifies } = conditionsOf(sql)

    const kind = kindOf(sql, {
      type: "Patient",
      matching: patients.matching,
      hasId: ({ uid }, id) => isNamed(uid, id),
      conditions: {
        identifier: ({ uid, shop_customer_id }, given) => {
          const customers = given.values.map((value) => {
            const { system, code = "" } = tokenOf(value)
            return customerOf(system === "" ? undefined : system, code)
          })
          return sql.or([
            identifies(given, [
              [UID_SYSTEM, uid],
              [CUSTOMER_SYSTEM, shop_customer_id]
            ]),
            sql`${shop_customer_id} = ANY (${customers}::text[])`
          ])
        },
        birthdate: ({ profile }, { values }) =>
          either(values.map((value) => sql`${profile}->>'date_of_birth' = ${value}`)),
        family: ({ profile }, given) => isLike(sql`(${profile}->>'last_name')`, given),
        given: ({ profile }, given) => isLike(sql`(${profile}->>'first_name')`, given)
      },
      form: patientForm
    })

    /** What became of a record that was merged into another; undefined of any other. */
    const findMerge = (owner: OrganisationUid, id: string) =>
      Effect.map(
        patients.merges(owner, ({ merged_uid }) => isNamed(merged_uid, id)),
        ([merge]) => merge
      )

    const read: Interactions["read"] = (caller, id) =>
      Effect.catchIf(
        kind.read(caller, id),
        ({ status }) => status === 404,
        (missing) =>
          Effect.flatMap(findMerge(caller.organisation_uid, id), (merge) =>
            merge === undefined ? Effect.fail(missing) : Effect.succeed(mergedForm(merge))
          )
      )

    return { ...kind, read, findMerge } as const
  }),
  dependencies: [PatientsRepo.Default]
}) {}
