/** Services of commands that need the database; a server may be running at the same time. */
import { userInfo } from "node:os"
import { SqlClient } from "@effect/sql"
import { Data, Effect, Layer } from "effect"
import { installed } from "../capabilities/index.ts"
import { Settings } from "../config.ts"
import { foundation } from "../layers/App.ts"
import { DatabaseShared } from "../layers/Database.ts"
import { acrossTenants, asLogin, asRequest, withoutOwner } from "../services/tenancy/Tenancy.ts"

/** Commands only send jobs and leave running them to the server, whatever ROLE is. */
const senderOnly = Layer.effect(
  Settings,
  Effect.map(Settings, (settings) => ({ ...settings, role: "http" as const }))
)

const services = Layer.provide(foundation(installed, DatabaseShared, Layer.empty), senderOnly)

/** The operator by the operating system's user name. */
const command = { action: "cli", actor: { kind: "operator", uid: userInfo().username } }

/** The process's login may not set the operator's role, as those of `database-login --http` and `--worker`. Nothing was changed. */
class OperatorLoginNeeded extends Data.TaggedError("OperatorLoginNeeded")<{ readonly user: string }> {
  override get message() {
    return `DATABASE_URL: the database user ${this.user} may not set sprechstunde_operator, which this command needs. Use the login of \`cli database-login sprechstunde_app\`, made as the tables' owner. Nothing was changed`
  }
}

const operatorChecked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT session_user::text, pg_has_role(session_user, 'sprechstunde_operator', 'MEMBER')`
    .values
  if (row?.[1] !== true) return yield* new OperatorLoginNeeded({ user: String(row?.[0]) })
}).pipe(asLogin)

/** Runs a command's work as the operator, for all tenants, with the services of all commands. Logs go to stderr. */
export const withServices = <A, E, R>(work: Effect.Effect<A, E, R | Layer.Layer.Success<typeof services>>) =>
  Effect.provide(Effect.zipRight(operatorChecked, acrossTenants(work).pipe(asRequest(command), withoutOwner)), services)
