import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

/** `?page=`, 0-indexed. */
export const pageOf = (query: URLSearchParams) => {
  const page = Number(query.get("page") ?? 0)
  return Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 0
}

/** A parameter of the page's path. */
export const segment = (name: string) => Effect.map(HttpRouter.params, (params) => params[name] ?? "")

/** The query of the request's address with its question mark, or nothing. */
export const searchOf = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ url }) => new URL(url, "http://localhost").search
)
