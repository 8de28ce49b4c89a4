/** Fails at start-up if the database user may not do what ROLE needs. */
import { SqlClient } from "@effect/sql"
import { Data, Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { asLogin } from "../services/tenancy/Tenancy.ts"

/** The database user may not set a role that this process needs. */
export class LoginUnfit extends Data.TaggedError("LoginUnfit")<{
  readonly user: string
  readonly role: "all" | "http" | "worker"
  readonly missing: ReadonlyArray<string>
}> {
  override get message() {
    const option = { all: "", http: " --http", worker: " --worker" }[this.role]
    return `DATABASE_URL: the database user ${this.user} does not fit ROLE=${this.role}: it may not set ${this.missing.join(", ")}. Make a login for it as the tables' owner, \`cli database-login ${this.user}${option}\`, or give this process another ROLE`
  }
}

const requests = ["sprechstunde_service", "sprechstunde_search"]
const jobs = [...requests, "sprechstunde_worker"]
const needs = { all: jobs, worker: jobs, http: requests }

export const LoginChecked = Layer.effectDiscard(
  Effect.gen(function* () {
    const { role } = yield* Settings
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT current_user::text, needed FROM unnest(${needs[role]}::text[]) AS needed
      WHERE NOT pg_has_role(current_user, needed, 'MEMBER')`.values
    const [first] = rows
    if (first === undefined) return
    return yield* new LoginUnfit({ user: String(first[0]), role, missing: rows.map(([, needed]) => String(needed)) })
  }).pipe(asLogin)
)
