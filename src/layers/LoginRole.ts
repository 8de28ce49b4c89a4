/** The database user that the service logs in as in production: it owns nothing, and sees rows only in the roles that it takes. */
import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Data, Effect, Redacted } from "effect"
import { Distribution } from "../services/database/Distribution.ts"
import { asLogin } from "../services/tenancy/Tenancy.ts"
import { limits } from "./Sql.ts"

interface Login {
  /** Whether it may take the worker's role, which runs jobs owner by owner; true unless given. */
  readonly jobs?: boolean
  /** Whether it may take the operator's role, the only one that sees all tenants; true unless given. */
  readonly operator?: boolean
  /** The user's password from now on; without it a new user gets one, and one that was there keeps its own. */
  readonly password?: Redacted.Redacted
}

/** The database is distributed: its worker nodes know no roles of a transaction, which this user would take. Nothing was changed. */
export class LoginNeedsOneNode extends Data.TaggedError("LoginNeedsOneNode") {
  override get message() {
    return "This database is distributed over a cluster, whose nodes know no roles of a transaction: there the service logs in as the tables' owner, which is no superuser. Nothing was changed."
  }
}

/**
 * Makes the user where there is none, and grants it what the service needs. A user whose password is set has the service's
 * limits, also behind a pooler. Gives the password that was made up; null where there was none to make. To be run by the
 * tables' owner. Fails with `LoginNeedsOneNode`.
 */
export const grantLogin = (name: string, { jobs = true, operator = true, password: given }: Login = {}) =>
  Effect.gen(function* () {
    if ((yield* Distribution).isCluster) return yield* new LoginNeedsOneNode()
    const sql = yield* SqlClient.SqlClient
    const [known] = yield* sql<{
      inherits: boolean
    }>`SELECT rolinherit AS inherits FROM pg_roles WHERE rolname = ${name}`
    const isKnown = known !== undefined
    const made = isKnown || given !== undefined ? null : randomBytes(24).toString("base64url")
    const password = given === undefined ? made : Redacted.value(given)
    const role = `ROLE "${name.replaceAll('"', '""')}"`
    // A user who inherits has every role's rows without taking one
    if (known?.inherits === true) yield* sql.unsafe(`ALTER ${role} NOINHERIT`)
    if (password !== null) {
      const literal = `'${password.replaceAll("'", "''")}'`
      yield* sql.unsafe(`${isKnown ? "ALTER" : "CREATE"} ${role} LOGIN NOINHERIT PASSWORD ${literal}`)
      for (const [limit, millis] of Object.entries(limits)) yield* sql.unsafe(`ALTER ${role} SET ${limit} = ${millis}`)
    }
    yield* sql`SELECT grant_service(${name}, ${jobs}, ${operator})`
    return made
  }).pipe(asLogin)
