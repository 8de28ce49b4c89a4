import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, type Effect } from "effect"

/** The 404 page for browsers. A process without pages (a worker) does not provide it. */
export class UnknownRoutePage extends Context.Tag("http/UnknownRoutePage")<
  UnknownRoutePage,
  Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
>() {}

/** Browsers list `text/html` in `Accept`, API clients do not. */
export const asksForPage = ({ method, headers }: HttpServerRequest.HttpServerRequest) =>
  (method === "GET" || method === "HEAD") && (headers.accept ?? "").includes("text/html")
