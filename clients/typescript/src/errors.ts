// SPDX-License-Identifier: Apache-2.0
import type { Operations } from "./generated/operations.ts"
import type { ProblemCode } from "./generated/schemas.ts"

/** The codes with which an operation refuses. */
export type CodeOf<Name extends keyof Operations> = Operations[Name]["code"]

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly faults: ReadonlyArray<string>
  readonly traceId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly operation: string
}

/** The service answered, and refused. */
export class ApiError<Code extends string = ProblemCode> extends Error {
  override readonly name = "ApiError"
  readonly status: number
  /** The stable word for programs; `unknown` where something between here and the service answered. */
  readonly code: Code | "unknown"
  /** For 400 every fault, as `field: message`; else the one sentence. */
  readonly faults: ReadonlyArray<string>
  /** Names the request in the service's logs: tell it when you ask for help. */
  readonly traceId: string | undefined
  /** When the service asks to try again, in seconds. */
  readonly retryAfterSeconds: number | undefined
  /** The operation that was called. */
  readonly operation: string

  constructor(refusal: Refusal) {
    super(`${refusal.operation}: ${refusal.status} ${refusal.code}: ${refusal.message}`)
    this.status = refusal.status
    this.code = refusal.code as Code // what the service sends is what its document declares
    this.faults = refusal.faults
    this.traceId = refusal.traceId
    this.retryAfterSeconds = refusal.retryAfterSeconds
    this.operation = refusal.operation
  }
}

/** No answer came: no connection, or none in time. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError"
  /** The operation that was called. */
  readonly operation: string

  constructor(operation: string, cause: unknown) {
    super(`${operation}: no answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.operation = operation
  }
}

/**
 * Whether an error is a refusal, with one of these codes where some are given.
 *
 *     catch (error) {
 *       if (isApiError(error, "slot_taken")) return chooseAnother()
 *       throw error
 *     }
 */
export const isApiError = <Code extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: ReadonlyArray<Code>
): error is ApiError<Code> =>
  error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code))

const secondsOf = (headers: Headers) => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {}
  } catch {
    return {} // a proxy's page
  }
}

/** The error that an answer outside of 2xx is. */
export const refusalOf = (operation: string, { status, statusText, headers }: Response, text: string) => {
  const { error, code, trace_id } = objectIn(text)
  const faults = (Array.isArray(error) ? error : [error ?? (statusText || `status ${status}`)]).map(String)
  return new ApiError({
    status,
    code: typeof code === "string" ? code : "unknown",
    message: faults.join("; "),
    faults,
    traceId: typeof trace_id === "string" ? trace_id : (headers.get("x-request-id") ?? undefined),
    retryAfterSeconds: secondsOf(headers),
    operation
  })
}
