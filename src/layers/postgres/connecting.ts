/** The first connection of a process to a database: a failure names the setting and what to do. */
import { Data, Effect, Predicate, Redacted, Schedule } from "effect"
import type { Client } from "pg"
import { isTransientCause } from "../../services/database/SqlErrors.ts"
import { withClient } from "../../services/database/withClient.ts"
import { connectionTo } from "./hosts.ts"

/** The database cannot be used as configured. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly setting: string
  readonly address: string
  readonly cause: unknown
}> {
  override get message() {
    return `${this.setting} (${this.address}): ${adviceFor(this.cause)}`
  }
}

const ADVICE: ReadonlyArray<readonly [RegExp, string]> = [
  [/^28/, "the user or the password is refused. Correct it; `cli database-login NAME` gives a login a new password"],
  [/^3D000$/, "the database does not exist. Create it, owned by the tables' owner, or correct the name"],
  [/^53300$/, "the server has no connection left. Raise max_connections, or lower DATABASE_POOL_SIZE"],
  [/^(ECONNREFUSED|ENOENT|ECONNRESET)$/, "no server listens there. Start PostgreSQL, or correct host and port"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the host's name is not known. Correct it"],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    "the host does not answer. Correct the address, or allow the connection in the firewall"
  ]
]

const adviceFor = (cause: unknown) => {
  const code = Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
  const said = Predicate.hasProperty(cause, "message") && cause.message !== "" ? String(cause.message) : code
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? "the database does not answer"
  return `${advice}${said === "" ? "" : ` [${said}]`}`
}

/** User, hosts and database of a URL, without its password. */
const addressOf = (url: string) => {
  const [, user = "", hosts = "", name = ""] = /^\w+:\/\/(?:([^:@/]*)(?::[^@/]*)?@)?([^/?]*)\/?([^?]*)/.exec(url) ?? []
  return `${user === "" ? "" : `${decodeURIComponent(user)} at `}${hosts === "" ? "a local socket" : hosts}, database ${name === "" ? "of that name" : name}`
}

const CONNECT_TIMEOUT_MILLIS = 10_000
/** PostgreSQL may still be starting. */
const comingUp = Schedule.spaced("500 millis").pipe(Schedule.upTo("10 seconds"))

/** Connects once, and runs `use`; retries for 10 seconds while the server is starting. Fails with `DatabaseUnusable`. */
export const firstConnection = <A>(
  setting: string,
  url: Redacted.Redacted,
  use: (client: Client) => Promise<A>
): Effect.Effect<A, DatabaseUnusable> => {
  const address = Redacted.value(url)
  return Effect.tryPromise({
    try: () =>
      withClient(
        {
          ...connectionTo(address),
          connectionTimeoutMillis: CONNECT_TIMEOUT_MILLIS,
          query_timeout: CONNECT_TIMEOUT_MILLIS
        },
        use
      ),
    catch: (cause) => new DatabaseUnusable({ setting, address: addressOf(address), cause })
  }).pipe(Effect.retry({ while: ({ cause }) => isTransientCause(cause), schedule: comingUp }))
}
