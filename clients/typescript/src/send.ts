// SPDX-License-Identifier: Apache-2.0
/** Sends one operation's request, again where that is safe. */
import type { Answer } from "./Call.ts"
import { ApiError, ConnectionError, refusalOf } from "./errors.ts"
import type { Operation } from "./operation.ts"

export interface Settings {
  /** Where the service is, for example `https://api.example.org`. */
  readonly baseUrl: string
  /** How often a request is sent again, at most. Default 3; 0: never. */
  readonly retries?: number
  /** How long to wait for an answer, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number
  /** The longest `Retry-After` that is waited for, in seconds; a longer one is the caller's to decide. Default 30. */
  readonly retryAfterSecondsMax?: number
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Names the request, so that it counts once. Default: a new UUID for each call. */
  readonly idempotencyKey?: string
  /** The `etag` under which the record may be changed; another version is 412 `precondition_failed`. */
  readonly ifMatch?: string
  /** Why data are read or changed, for the organisation's audit log. */
  readonly purpose?: string
  /** The patient's booking token, see `mintBookingToken`. */
  readonly bookingToken?: string
  /** Gives the request up. */
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export interface Credentials {
  /** `spr_…`, of an organisation, a pharmacy or a pharmacy group. */
  readonly apiKey?: string
  /** An access token of the identity provider, for doctors and administrators. */
  readonly accessToken?: string | (() => string | Promise<string>)
}

export type Input = Readonly<Record<string, unknown>>

const RETRIES = 3
const TIMEOUT_MS = 30_000
const RETRY_AFTER_MAX = 30

const addressOf = ({ path }: Operation, input: Input, baseUrl: string) => {
  const inPath = new Set<string>()
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    return encodeURIComponent(String(input[name]))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    if (name !== "body" && !inPath.has(name) && value !== undefined) query.append(name, String(value))
  return `${baseUrl.replace(/\/+$/, "")}${filled}${query.size > 0 ? `?${query}` : ""}`
}

const credentialOf = async ({ credentials = [] }: Operation, held: Credentials, { bookingToken }: CallOptions) => {
  if (bookingToken !== undefined && credentials.includes("bookingToken"))
    return { "x-service-booking-token": bookingToken }
  if (held.apiKey !== undefined && credentials.includes("apiKey")) return { "x-api-key": held.apiKey }
  if (held.accessToken === undefined || !credentials.includes("bearer")) return {}
  const { accessToken } = held
  return { authorization: `Bearer ${typeof accessToken === "string" ? accessToken : await accessToken()}` }
}

/** Whether a request that may have been carried out can be sent again and still count once. */
const isRepeatable = ({ method, keyed }: Operation, { ifMatch }: CallOptions) =>
  keyed === true || method === "GET" || method === "PUT" || (method === "PATCH" && ifMatch === undefined)

/** 429 and 503 were not carried out where they say when to come again; 409 `in_progress` waits for its first request. */
const isWorthAnother = (error: unknown, repeatable: boolean) => {
  if (error instanceof ConnectionError) return repeatable
  if (!(error instanceof ApiError)) return false
  if (error.status === 429) return true
  return repeatable && ([502, 503, 504].includes(error.status) || error.code === "in_progress")
}

const SHORTEST_MS = 250
const LONGEST_MS = 8000

/** Doubling, with half of it left to chance, so that callers who failed together do not come again together. */
const backOff = (attempt: number) => Math.min(LONGEST_MS, SHORTEST_MS * 2 ** attempt) * (0.5 + Math.random() / 2)

const wait = (milliseconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })

const bodyOf = async (response: Response): Promise<unknown> => {
  if (response.status === 204 || response.status === 202) {
    const text = await response.text()
    return text === "" ? undefined : JSON.parse(text)
  }
  return /\bjson\b/.test(response.headers.get("content-type") ?? "") ? response.json() : response.arrayBuffer()
}

const attempt = async (name: string, address: string, request: RequestInit, settings: Settings, limit: number) => {
  const signals = [AbortSignal.timeout(limit), ...(request.signal == null ? [] : [request.signal])]
  try {
    const response = await (settings.fetch ?? fetch)(address, { ...request, signal: AbortSignal.any(signals) })
    if (!response.ok) throw refusalOf(name, response, await response.text())
    const { status, headers } = response
    return {
      body: await bodyOf(response),
      status,
      headers,
      etag: headers.get("etag") ?? undefined,
      requestId: headers.get("x-request-id") ?? undefined,
      replayed: headers.get("idempotency-replayed") === "true"
    }
  } catch (error) {
    if (error instanceof ApiError || request.signal?.aborted) throw error
    throw new ConnectionError(name, error)
  }
}

/** Carries out an operation. Fails with `ApiError` or `ConnectionError`, or with the reason of the caller's signal. */
export const send = async (
  name: string,
  operation: Operation,
  input: Input,
  options: CallOptions,
  settings: Settings & Credentials
): Promise<Answer<unknown>> => {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(input.body !== undefined && { "content-type": "application/json" }),
    ...(operation.keyed && { "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() }),
    ...(options.ifMatch !== undefined && { "if-match": options.ifMatch }),
    ...(options.purpose !== undefined && { "x-purpose": options.purpose }),
    ...(await credentialOf(operation, settings, options))
  }
  const request: RequestInit = {
    method: operation.method,
    headers,
    redirect: "error",
    credentials: "omit",
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    ...(options.signal !== undefined && { signal: options.signal })
  }
  const address = addressOf(operation, input, settings.baseUrl)
  const limit = options.timeoutMs ?? settings.timeoutMs ?? TIMEOUT_MS
  const repeatable = isRepeatable(operation, options)
  for (let done = 0; ; done++)
    try {
      return await attempt(name, address, request, settings, limit)
    } catch (error) {
      const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
      const tooLong = asked !== undefined && asked > (settings.retryAfterSecondsMax ?? RETRY_AFTER_MAX)
      if (done >= (settings.retries ?? RETRIES) || tooLong || !isWorthAnother(error, repeatable)) throw error
      await wait(asked === undefined ? backOff(done) : asked * 1000, options.signal)
    }
}
