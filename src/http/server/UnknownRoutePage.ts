import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, type Effect } from "effect"

/** What a person in front of a browser is shown at an address that leads nowhere; a process without pages has none. */
export class UnknownRoutePage extends Context.Tag("http/UnknownRoutePage")<
  UnknownRoutePage,
  Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
>() {}

/** Browsers name HTML in `Accept`, programs do not. */
export const asksForPage = ({ method, headers }: HttpServerRequest.HttpServerRequest) =>
  (method === "GET" || method === "HEAD") && (headers.accept ?? "").includes("text/html")
