/** The database user that the service logs in as in production: it owns nothing, and sees rows only in the roles that it takes. */
import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Data, Effect } from "effect"
import { Distribution } from "../services/Distribution.ts"
import { asLogin } from "../services/Tenancy.ts"

/** The database is distributed: its worker nodes know no roles of a transaction, which this user would take. Nothing was changed. */
export class LoginNeedsOneNode extends Data.TaggedError("LoginNeedsOneNode") {
  override get message() {
    return "This database is distributed over a cluster, whose nodes know no roles of a transaction: there the service logs in as the tables' owner, which is no superuser. Nothing was changed."
  }
}

/** What processes of the user do beside requests. Only the operator's role sees all tenants. */
export interface LoginRights {
  readonly jobs: boolean
  readonly operator: boolean
}

/**
 * Makes the user where there is none, and grants it what the service needs. Gives the password of a new user, null for one that
 * was there. To be run by the tables' owner. Fails with `LoginNeedsOneNode`.
 */
export const grantLogin = (name: string, { jobs, operator }: LoginRights = { jobs: true, operator: true }) =>
  Effect.gen(function* () {
    if ((yield* Distribution).isCluster) return yield* new LoginNeedsOneNode()
    const sql = yield* SqlClient.SqlClient
    const known = yield* sql`SELECT FROM pg_roles WHERE rolname = ${name}`
    const password = known.length > 0 ? null : randomBytes(24).toString("base64url")
    if (password !== null)
      yield* sql.unsafe(`CREATE ROLE "${name.replaceAll('"', '""')}" LOGIN NOINHERIT PASSWORD '${password}'`)
    yield* sql`SELECT grant_service(${name}, ${jobs}, ${operator})`
    return password
  }).pipe(asLogin)
