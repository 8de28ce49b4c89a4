/** Problems on the wire: which status each has, and the one envelope that all of them share. */
import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Effect, Option, ParseResult, Schema } from "effect"

/** One error class, one status. A class that is not named here is a defect when it reaches the edge. */
const statuses: Readonly<Record<string, number>> = {
  Invalid: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  TooManyRequests: 429
}

export const statusOf = (tag: string): number | undefined => statuses[tag]

const shared = {
  code: Schema.String.annotations({ description: "Stable machine-readable word" }),
  trace_id: Schema.String.annotations({ description: "Names this request in the service's logs and traces" })
}
const ProblemBody = Schema.Struct({
  error: Schema.String.annotations({ description: "What went wrong and what to do" }),
  ...shared
}).annotations({ identifier: "Problem" })
const InvalidBody = Schema.Struct({
  error: Schema.Array(Schema.String).annotations({ description: "Every fault, as `field: message`" }),
  ...shared
}).annotations({ identifier: "InvalidRequest" })

type Tagged = { readonly _tag: string; readonly message: string }

/**
 * An error class as an endpoint declares it: its status and its body in the OpenAPI document. The bodies themselves are
 * written by `ProblemsMiddleware`, so that there is one way to be told of a problem.
 */
export const problem = <E extends Tagged, I, R>(self: Schema.Schema<E, I, R> & { readonly _tag: E["_tag"] }) => {
  const tag: string = self._tag
  const Body: Schema.Schema.AnyNoContext = tag === "Invalid" ? InvalidBody : ProblemBody
  return Schema.transformOrFail(Body, Schema.typeSchema(self), {
    strict: false,
    decode: (body, _, ast) => ParseResult.fail(new ParseResult.Forbidden(ast, body)),
    encode: (error) => ParseResult.succeed({ error: error.message, code: tag, trace_id: "" })
  }).annotations(HttpApiSchema.annotations({ status: statuses[tag] ?? 500 }))
}

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
