/**
 * The last requests of each API key, in this process's memory only: without bodies and queries, never stored. With several replicas, clients
 * poll until they reach each of them. Section 2.11.
 */
import { Effect } from "effect"
import { HOUR } from "../../../schemas/seconds.ts"
import { REQUESTS_KEPT, type RequestEntry } from "../schemas/RequestEntry.ts"

/** Keys remembered; the least recently used one is evicted for a further one. */
const KEYS_KEPT = 1_000
const RETENTION_SECONDS = HOUR

export class RequestLog extends Effect.Service<RequestLog>()("access/RequestLog", {
  sync: () => {
    const requests = new Map<string, ReadonlyArray<RequestEntry>>()

    const note = (key: string, entry: RequestEntry) => {
      const before = requests.get(key) ?? []
      requests.delete(key)
      requests.set(key, [entry, ...before.slice(0, REQUESTS_KEPT - 1)])
      const [oldest] = requests.keys()
      if (requests.size > KEYS_KEPT && oldest !== undefined) requests.delete(oldest)
    }

    /** Newest first; none older than an hour. `now` in Unix seconds of real time. */
    const latest = (key: string, limit: number, now: number) =>
      (requests.get(key) ?? []).filter(({ at }) => now - at < RETENTION_SECONDS).slice(0, limit)

    return { note, latest } as const
  }
}) {}
