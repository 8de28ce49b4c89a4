/** Problems on the wire: which status each has, and the one envelope that all of them share. */
import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Effect, Option, type Schema } from "effect"

/** One error class, one status. A class that is not named here is a defect when it reaches the edge. */
const statuses: Readonly<Record<string, number>> = {
  Invalid: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  TooManyRequests: 429,
  StorefrontRefused: 409,
  StorefrontUnavailable: 503,
  Unavailable: 503
}

export const statusOf = (tag: string): number | undefined => statuses[tag]

type Tagged = { readonly _tag: string; readonly message: string }

/**
 * An error class as an endpoint declares it, with its status. The body is written by `ProblemsMiddleware` and shown by
 * the OpenAPI document, so that there is one way to be told of a problem.
 */
export const problem = <E extends Tagged, I, R>(
  self: Schema.Schema<E, I, R> & { readonly _tag: E["_tag"] }
): Schema.Schema<E, I, R> => self.annotations(HttpApiSchema.annotations({ status: statuses[self._tag] ?? 500 }))

/** The envelope, with the trace that the request belongs to. */
export const reply = (
  status: number,
  code: string,
  error: string | ReadonlyArray<string>,
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.map(Effect.option(Effect.currentSpan), (span) => {
    const trace_id = Option.match(span, { onNone: () => "", onSome: ({ traceId }) => traceId })
    return HttpServerResponse.unsafeJson({ error, code, trace_id }, { status, headers })
  })
