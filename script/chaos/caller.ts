/** A partner's HTTP client: retries until it gets a response, and counts the responses. */
import { readFileSync } from "node:fs"

/** A pseudo-random generator of numbers in [0, 1), reproducible by its seed (mulberry32). */
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
  /** Sent as JSON; text is sent unchanged. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** An earlier attempt ended without a known outcome: it may have been executed. */
  readonly repeated: boolean
}

/** No response, or an error of a gateway: the request may have been executed, and is retried. */
const UNKNOWN = new Set([0, 502, 504])
/** The service is temporarily unavailable: the request is retried after `Retry-After`. */
const LATER = new Set([429, 503])

const ATTEMPT_MS = 30_000
/** After this time, in milliseconds, a request counts as never answered. */
const PATIENCE_MS = 180_000

export const makeCaller = (base: string) => {
  /** Attempts by status; 0 is a broken connection. */
  const attempts = new Map<number, number>()
  /** Attempts answered with 500 or 502. A proxy does not send a change again to another replica: the first may have done it. */
  const broken: Array<string> = []
  /** Wrong responses, described. */
  const untrue: Array<string> = []
  /** Requests that were never answered. */
  const unanswered: Array<string> = []
  /** Milliseconds from the first attempt to the response. */
  const waits: Array<number> = []
  /** When each pending request was first attempted. */
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

  /** Retries until there is a response. A response other than `expected` is recorded as wrong. */
  const sendRequest = async (request: Request, expected: ReadonlyArray<number>): Promise<Answer | undefined> => {
    const since = performance.now()
    waiting.set(request, since)
    let repeated = false
    for (;;) {
      const { status, text, retryAfter } = await attempt(request)
      attempts.set(status, (attempts.get(status) ?? 0) + 1)
      if (status === 500 || status === 502) broken.push(`${status} ${request.method} ${request.path}`)
      const description = `${request.method} ${request.path}: ${status} ${text.slice(0, 300)}`
      if (!UNKNOWN.has(status) && !LATER.has(status)) {
        waits.push(performance.now() - since)
        waiting.delete(request)
        if (!expected.includes(status) && !(repeated && status === 409)) untrue.push(description)
        return { status, body: text === "" ? undefined : JSON.parse(text), repeated }
      }
      // a 503 means "retry later", and yet the reply of a COMMIT may have been lost
      repeated = true
      if (performance.now() - since > PATIENCE_MS) {
        unanswered.push(description)
        waiting.delete(request)
        return undefined
      }
      await Bun.sleep(Math.min(2_000, Math.max(250, retryAfter * 1_000)))
    }
  }
  /** Requests that have been pending for more than this many milliseconds. */
  const waitingFor = (ms: number) =>
    [...waiting].filter(([, since]) => performance.now() - since > ms).map(([{ method, path }]) => `${method} ${path}`)
  return { ask: sendRequest, attempts, broken, untrue, unanswered, waits, waitingFor }
}
export type Caller = ReturnType<typeof makeCaller>

/** Resident memory of a process in MiB; 0 if it has exited. */
export const memoryOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0") / 1024
  } catch {
    return 0
  }
}
