/** At start-up: applies PROVISION_FILE, or lets a capability fill an empty database. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { acrossTenants, asLogin, asRequest, withoutOwner } from "../../../services/tenancy/Tenancy.ts"
import { Provisioning } from "../../shared/services/provisioning/Provisioning.ts"
import { readJson } from "./readJson.ts"

const nothing = { afterwards: Effect.void }

const provision = Effect.gen(function* () {
  const { provisionFile, demoWorld: wanted } = yield* Settings
  const provisioning = yield* Provisioning
  if (provisionFile !== undefined) yield* provisioning.apply(yield* readJson(provisionFile))
  if (provisionFile !== undefined || !wanted || !(yield* provisioning.isEmpty)) return nothing
  const fillings = (yield* Effect.flatMap(Extensions, ({ having }) => having("filled"))).flatMap(
    ({ filled }) => filled ?? []
  )
  const done = yield* Effect.forEach(fillings, (filled) => filled)
  return { afterwards: Effect.forEach(done, ({ afterwards }) => afterwards, { discard: true }) }
})

/** Provisioning runs in the operator's role, which logins of `cli database-login --http` and `--worker` may not set. */
const mayProvision = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  rowsOf(Schema.Struct({ may: Schema.Boolean })).one(
    sql`SELECT pg_has_role(session_user, 'sprechstunde_operator', 'MEMBER') AS may`
  )
)

/** Returns what is left to do once the service listens. */
export const atStart = Effect.gen(function* () {
  const { may } = yield* asLogin(mayProvision)
  if (may) return yield* acrossTenants(provision).pipe(asRequest({ action: "provisioning" }), withoutOwner)
  if ((yield* Settings).provisionFile !== undefined)
    yield* Effect.logInfo(
      "PROVISION_FILE is not applied: this login may not take the operator's role; `cli provision` or a process with the full login applies it"
    )
  return nothing
})
