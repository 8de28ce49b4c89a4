/** Whether an organisation uses the interface, which it switches on, and its zone. Rule 20.1.2. */
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../config.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { Service } from "../../../services/Service.ts"
import { Organisations } from "../../shared/services/Organisations.ts"

const isOn = Schema.is(Schema.Struct({ fhir: Schema.Struct({ enabled: Schema.Literal(true) }) }))

export class FhirSettings extends Service<FhirSettings>()("fhir/FhirSettings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const organisations = yield* Organisations
    const { baseUrl } = yield* Settings
    const offered = rowsOf(Schema.Struct({ offered: Schema.Boolean }))

    /** The organisation's zone; none while it does not use FHIR. */
    const zoneOf = (owner: OrganisationUid) =>
      Effect.map(organisations.settings(owner), (found) =>
        Option.filterMap(found, ({ timezone, added }) => (isOn(added) ? Option.some(timezone) : Option.none()))
      )

    /** Whether any organisation uses FHIR. */
    const isOffered = Effect.map(offered.one(sql`SELECT fhir_is_offered() AS offered`), ({ offered }) => offered)

    return { zoneOf, isOffered, base: `${baseUrl}/fhir/r4` } as const
  }),
  dependencies: [Organisations.Default]
}) {}
