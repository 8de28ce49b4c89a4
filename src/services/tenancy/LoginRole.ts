/** The login role for production: it owns nothing and sees rows only through the roles that it sets. */
import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Data, Effect, Redacted } from "effect"
import { Topology } from "../database/Topology.ts"
import { timeouts } from "../database/timeouts.ts"
import { asLogin } from "./Tenancy.ts"

interface Login {
  /** Whether it may set the worker's role, which runs jobs owner by owner. Default true. */
  readonly jobs?: boolean
  /** Whether it may set the operator's role, the only one that sees all tenants. Default true. */
  readonly operator?: boolean
  /** The new password. Default: generated for a new role, unchanged for an existing one. */
  readonly password?: Redacted.Redacted
}

/** The database is on several nodes, which do not see SET LOCAL ROLE, on which this login relies. Nothing was changed. */
export class LoginNeedsOneNode extends Data.TaggedError("LoginNeedsOneNode") {
  override get message() {
    return "This database is on several nodes, which know no roles of a transaction: there the service logs in as the tables' owner, which is no superuser. Nothing was changed."
  }
}

/**
 * Creates the role if it does not exist, and grants the service's privileges. Setting a password also sets the service's
 * time-outs on the role, so that they hold behind a pooler. Returns the generated password, null if none was generated. Must
 * run as the tables' owner. Fails with `LoginNeedsOneNode`.
 */
export const grantLogin = (name: string, { jobs = true, operator = true, password: given }: Login = {}) =>
  Effect.gen(function* () {
    if (!(yield* Topology).isSingle) return yield* new LoginNeedsOneNode()
    const sql = yield* SqlClient.SqlClient
    const [known] = yield* sql<{
      inherits: boolean
    }>`SELECT rolinherit AS inherits FROM pg_roles WHERE rolname = ${name}`
    const isKnown = known !== undefined
    const made = isKnown || given !== undefined ? null : randomBytes(24).toString("base64url")
    const password = given === undefined ? made : Redacted.value(given)
    const role = `ROLE "${name.replaceAll('"', '""')}"`
    // With INHERIT the role would see the rows of every granted role without setting it
    if (known?.inherits === true) yield* sql.unsafe(`ALTER ${role} NOINHERIT`)
    if (password !== null) {
      const literal = `'${password.replaceAll("'", "''")}'`
      yield* sql.unsafe(`${isKnown ? "ALTER" : "CREATE"} ${role} LOGIN NOINHERIT PASSWORD ${literal}`)
      for (const [limit, millis] of Object.entries(timeouts))
        yield* sql.unsafe(`ALTER ${role} SET ${limit} = ${millis}`)
    }
    yield* sql`SELECT grant_service(${name}, ${jobs}, ${operator})`
    return made
  }).pipe(asLogin)
