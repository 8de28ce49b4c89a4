/** Responses of handlers, encoded by their compiled schema. */
import { type HttpApiEndpoint, HttpApiSchema, HttpServerResponse } from "@effect/platform"
import type { Schema } from "effect"
import { encoderOf } from "../schemas/compiled.ts"

/**
 * Makes the response of a handler's success, as the framework would. What has no one form in JSON (no content, text, several schemas), and
 * a response that the handler made itself, is left to the framework.
 */
export const encodedFor = ({ successSchema }: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps) => {
  const { ast } = successSchema
  const { kind, contentType } = HttpApiSchema.getEncoding(ast)
  if (ast._tag === "Union" || HttpApiSchema.isVoid(ast) || kind !== "Json") return (success: unknown) => success
  const encode = encoderOf(successSchema as Schema.Schema<unknown>) // the framework types its services as any
  const status = HttpApiSchema.getStatusSuccessAST(ast)
  return (success: unknown) =>
    HttpServerResponse.isServerResponse(success)
      ? success
      : HttpServerResponse.unsafeJson(encode(success), { status, contentType })
}
