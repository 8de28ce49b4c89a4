// SPDX-License-Identifier: Apache-2.0
import { setTimeout } from "node:timers/promises"
import type { Sprechstunde } from "../index.ts"
import { clientFrom, countFrom, UsageError, type Values } from "./arguments.ts"

const MOST = 100
const POLL_MS = 1000

type Entry = Awaited<ReturnType<Sprechstunde["listRequests"]>>["data"][number]

const line = ({ at, method, path, status, code, duration_ms, trace_id }: Entry) =>
  [new Date(at * 1000).toISOString(), method, path, status, code ?? "", `${duration_ms} ms`, trace_id]
    .filter((part) => part !== "")
    .join("  ")

/** Prints the key's latest requests, then each new one, until it is stopped or has printed `--count`. */
export const requests = async (action: string | undefined, values: Values) => {
  if (action !== "tail") throw new UsageError("requests tail: follow the requests of your key")
  const client = clientFrom(values)
  const count = countFrom(values)
  const seen = new Set<string>()
  for (;;) {
    const { data } = await client.listRequests({ limit: MOST })
    for (const entry of data.toReversed()) {
      if (seen.has(entry.trace_id)) continue
      seen.add(entry.trace_id)
      console.log(line(entry))
      if (seen.size >= count) return
    }
    await setTimeout(POLL_MS)
  }
}
