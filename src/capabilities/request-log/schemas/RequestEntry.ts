/** The latest requests of an API key, for integrators. Section 2.11. */
import { Schema } from "effect"
import { body, Count, described, queryInteger, UnixSeconds, withDefault } from "../../../schemas/fields.ts"

/** Requests per key that a process keeps. */
export const REQUESTS_KEPT = 100

export const RequestEntry = Schema.Struct({
  trace_id: described(Schema.String, "`X-Request-Id` of the answer"),
  at: described(UnixSeconds, "When it was answered, in real time"),
  method: described(Schema.String, "Method of the request"),
  path: described(Schema.String, "Path without the query, at most 255 characters"),
  status: described(Count, "HTTP status of the answer"),
  code: described(Schema.NullOr(Schema.String), "`code` of the error; null without one"),
  duration_ms: described(Count, "Milliseconds until the answer")
}).annotations({ identifier: "RequestEntry" })
export type RequestEntry = typeof RequestEntry.Type

export const RequestsQuery = body({
  limit: withDefault(
    queryInteger(1, Number.MAX_SAFE_INTEGER, `Requests an answer; more than ${REQUESTS_KEPT} is reduced to that`).pipe(
      Schema.transform(Schema.Number, {
        strict: true,
        decode: (n) => Math.min(n, REQUESTS_KEPT),
        encode: (n) => n
      })
    ),
    50
  )
})
