/** Errors as OperationOutcome. Rule 20.8. */
import { HttpServerResponse } from "@effect/platform"
import type { ErrorAnswer } from "../../../http/problems.ts"
import type { FhirRefused, Issue, IssueCode } from "../services/refused.ts"
import { contentTypes, type Format, write } from "./serialise.ts"

/** Errors of the service whose status stays; others of 400 and 409 are 422 here. */
const kept = new Set(["malformed_json", "slot_taken", "idempotency_key_reused", "in_progress"])

const codes: Readonly<Record<number, IssueCode>> = {
  400: "structure",
  401: "login",
  403: "forbidden",
  404: "not-found",
  405: "not-supported",
  409: "conflict",
  410: "deleted",
  412: "conflict",
  413: "too-long",
  415: "not-supported",
  422: "business-rule",
  429: "throttled",
  503: "transient"
}

const body = (issues: ReadonlyArray<Issue>) => ({
  resourceType: "OperationOutcome",
  issue: issues.map(({ code, text, at }) => ({
    severity: "error",
    code,
    details: { text },
    diagnostics: text,
    ...(at !== undefined && { expression: [at] })
  }))
})

const answer = (
  status: number,
  issues: ReadonlyArray<Issue>,
  format: Format,
  headers: Readonly<Record<string, string>>
) =>
  HttpServerResponse.text(write(body(issues), format), {
    status,
    headers: {
      ...headers,
      ...(status === 401 && { "www-authenticate": 'Bearer realm="fhir"' }),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff"
    },
    contentType: contentTypes[format]
  })

export const outcomeOf = ({ status, issues, headers = {} }: FhirRefused, format: Format) =>
  answer(status, issues, format, headers)

/** An error of the service in FHIR's form. */
export const outcomeAnswer =
  (format: Format) =>
  ({ status: given, code, error, headers }: ErrorAnswer) => {
    const status = (given === 400 || given === 409) && !kept.has(code) ? 422 : given
    const texts = typeof error === "string" ? [error] : error
    return answer(
      status,
      texts.map((text) => ({ code: codes[status] ?? "exception", text })),
      format,
      headers
    )
  }
