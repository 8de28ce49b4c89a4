/** A partner's HTTP client: asks until it has an answer, and keeps count of what it was answered. */
import { readFileSync } from "node:fs"

/** A number in [0, 1) after the other, the same for the same seed (mulberry32). */
export const seeded = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
export type Random = ReturnType<typeof seeded>

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent as it is. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** An earlier attempt ended without a word on what became of it: it may have been carried out. */
  readonly repeated: boolean
}

/** Nothing, or a gateway's word that it does not know: the request may have been carried out, and is asked again. */
const UNKNOWN = new Set([0, 502, 504])
/** The service's word that it cannot now: the request is asked again after `Retry-After`. */
const LATER = new Set([429, 503])

const ATTEMPT_MS = 30_000
/** A caller who has waited for so long has been failed. */
const PATIENCE_MS = 180_000

export const makeCaller = (base: string) => {
  /** Attempts by status; 0 is a connection that broke. */
  const attempts = new Map<number, number>()
  /** Answers that are not true, in words. */
  const untrue: Array<string> = []
  /** Requests that were given up. */
  const unanswered: Array<string> = []
  /** Milliseconds from the first attempt to the answer. */
  const waits: Array<number> = []
  /** When each request that is under way was first attempted. */
  const waiting = new Map<Request, number>()

  const attempt = async ({ method, path, headers = {}, body }: Request) => {
    try {
      const response = await fetch(base + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        signal: AbortSignal.timeout(ATTEMPT_MS),
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, text, retryAfter: Number(response.headers.get("retry-after") ?? "0") }
    } catch {
      return { status: 0, text: "", retryAfter: 0 }
    }
  }

  /** Asks until there is an answer. One that is none of `expected` is recorded as untrue. */
  const ask = async (request: Request, expected: ReadonlyArray<number>): Promise<Answer | undefined> => {
    const since = performance.now()
    waiting.set(request, since)
    let repeated = false
    for (;;) {
      const { status, text, retryAfter } = await attempt(request)
      attempts.set(status, (attempts.get(status) ?? 0) + 1)
      const told = `${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`
      if (!UNKNOWN.has(status) && !LATER.has(status)) {
        waits.push(performance.now() - since)
        waiting.delete(request)
        if (!expected.includes(status) && !(repeated && status === 409)) untrue.push(told)
        return { status, body: text === "" ? undefined : JSON.parse(text), repeated }
      }
      // a 503 says "not now", and yet an answer of COMMIT may have been lost on the way
      repeated = true
      if (performance.now() - since > PATIENCE_MS) {
        unanswered.push(told)
        waiting.delete(request)
        return undefined
      }
      await Bun.sleep(Math.min(2_000, Math.max(250, retryAfter * 1_000)))
    }
  }
  /** Requests that have waited for longer than so many milliseconds. */
  const waitingFor = (ms: number) =>
    [...waiting].filter(([, since]) => performance.now() - since > ms).map(([{ method, path }]) => `${method} ${path}`)
  return { ask, attempts, untrue, unanswered, waits, waitingFor }
}
export type Caller = ReturnType<typeof makeCaller>

/** Resident memory of a process in MiB; 0 when it has gone. */
export const memoryOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0") / 1024
  } catch {
    return 0
  }
}
