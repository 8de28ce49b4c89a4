#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
/** The partner's command line. */
import { ApiError, ConnectionError } from "../errors.ts"
import { parsed, UsageError } from "./arguments.ts"
import { listen } from "./listen.ts"
import { mcp } from "./mcp.ts"
import { requests } from "./requests.ts"
import { trigger } from "./trigger.ts"

const HELP = `sprechstunde: a partner's tools, for any installation

  sprechstunde listen --forward URL     forward the key's events to URL, signed like webhooks
  sprechstunde trigger EVENT            cause an event: book, move, create a patient, render
  sprechstunde trigger EVENT --forward URL   send the documented example of any event, signed
  sprechstunde requests tail            follow the requests of your key and what came of them
  sprechstunde mcp                      serve the operations that the key reads to an assistant (Model Context Protocol, stdio)
  sprechstunde mcp --write              also hold, confirm, cancel and move, each a step of its own

  --base-url URL          the installation; SPRECHSTUNDE_URL; http://127.0.0.1:8080
  --api-key KEY           SPRECHSTUNDE_API_KEY
  --secret whsec_…        sign with this secret; a new one for each run, which is printed
  --pharmacy UID          listen: a pharmacy's events, by a key of its group; a key of its own needs no option
  --type EVENT            listen: only events of this type
  --count N               end after so many
  --shop, --appointment-type, --prescription UID   what trigger uses; the first that there is
`

const run = async (words: ReadonlyArray<string>) => {
  const { positionals, values } = parsed(words)
  const [command, argument] = positionals
  if (values.help || command === undefined) console.log(HELP)
  else if (command === "listen") await listen(values)
  else if (command === "requests") await requests(argument, values)
  else if (command === "mcp") await mcp(values)
  else if (command === "trigger") await trigger(argument, values)
  else throw new UsageError(`Unknown command ${positionals.join(" ")}: try --help`)
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof UsageError || error instanceof ApiError || error instanceof ConnectionError
  console.error(isExpected ? error.message : error)
  process.exitCode = 1
})
