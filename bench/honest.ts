/**
 * What honest crowds are refused: `bun run bench:honest [part of a crowd's name] [test]`. Each crowd acts against an
 * installation with the default limits. Exits with 1 if an act was refused in a way that the specification does not name.
 * `test` runs the short form.
 */
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { crowds, type Outcome, outcomeOf } from "./honest/crowds.ts"
import { honestSettings, installationOf } from "./honest/installation.ts"

const [part = "", form = "bench"] = process.argv.slice(2)
await startTestServer()
const server = await startServer(honestSettings)
const rows: Array<Omit<Outcome, "refusals">> = []
for (const crowd of crowds.filter(({ name }) => name.includes(part))) {
  process.stderr.write(`${crowd.name}\n`)
  const { refusals, ...row } = await outcomeOf(
    crowd,
    form === "test" ? crowd.size.test : crowd.size.bench,
    installationOf(server)
  )
  for (const [what, count] of Object.entries(refusals)) process.stderr.write(`  ${count} × ${what}\n`)
  rows.push(row)
}
console.table(rows)
if (rows.some(({ refused }) => refused > 0)) process.exitCode = 1
await server.stop()
process.exit()
