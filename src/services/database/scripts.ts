/** Statements that run as the tables' owner, and may take as long as they need. */
import { Effect } from "effect"
import { DatabaseSessions } from "./DatabaseSessions.ts"

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;'"$/-]+|[^;]/g

/** The statements of a script, without its comments. */
export const statementsOf = (text: string): ReadonlyArray<string> => {
  const statements = [""]
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ";") statements.push("")
    else if (!token.startsWith("--") && !token.startsWith("/*")) statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "")
}

const SETTINGS = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"]

/** One session of the login role without time-outs. */
export const unlimitedSession = Effect.gen(function* () {
  const sessions = yield* DatabaseSessions
  const connection = yield* sessions.reserve
  const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  yield* Effect.forEach(SETTINGS, (name) => run(`SET ${name} = 0`), { discard: true })
  return run
})
