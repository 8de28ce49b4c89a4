/** Problems on the wire: which status each has, and the one envelope that all of them share. */
import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema, SchemaAST } from "effect"
import { Conflict, type ConflictReason } from "../schemas/conflicts.ts"

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

/** The stable word for an error that has no reason of its own. */
export const codeOf = (tag: string) =>
  tag === "Invalid" ? "invalid_request" : tag.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

const CODES = Symbol.for("http/problems/codes")
const told = <A>(tag: string, codes: ReadonlyArray<string>): Schema.Annotations.Schema<A> => ({
  ...HttpApiSchema.annotations<A>({ status: statuses[tag] ?? 500 }),
  [CODES]: codes
})

/**
 * An error class as an endpoint declares it, with its status. The body is written by `ProblemsMiddleware` and shown by
 * the OpenAPI document, so that there is one way to be told of a problem.
 */
export const problem = <E extends Tagged, I, R>(
  self: Schema.Schema<E, I, R> & { readonly _tag: E["_tag"] }
): Schema.Schema<E, I, R> => self.annotations(told(self._tag, [codeOf(self._tag)]))

/** The conflicts that an endpoint can answer; it does not compile while its handler can fail with another one. */
export const conflict = <const R extends ConflictReason>(...reasons: ReadonlyArray<R>) =>
  Schema.declare(
    (error): error is Conflict<R> => error instanceof Conflict && reasons.some((reason) => reason === error.reason),
    { ...told<Conflict<R>>("Conflict", reasons), jsonSchema: { type: "object" } }
  )

/** The codes that an error of an endpoint can have, by what `problem` and `conflict` have noted. */
export const codesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return [...new Set(ast.types.flatMap(codesIn))]
  const codes = ast.annotations[CODES]
  return Array.isArray(codes) ? codes : []
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
