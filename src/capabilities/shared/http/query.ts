import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

/** `?page=`, 0-indexed. */
export const pageOf = (query: URLSearchParams) => {
  const page = Number(query.get("page") ?? 0)
  return Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 0
}

/** A path parameter of the page. */
export const segment = (name: string) => Effect.map(HttpRouter.params, (params) => params[name] ?? "")

const addressOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => new URL(url, "http://localhost"))
/** The request's query. */
export const queryOf = Effect.map(addressOf, ({ searchParams }) => searchParams)
/** The request's query with its question mark, or an empty string. */
export const searchOf = Effect.map(addressOf, ({ search }) => search)

/** The address with one more parameter. */
export const withQuery = (address: string, name: string, value: string) =>
  `${address}${address.includes("?") ? "&" : "?"}${name}=${value}`

/** The address of a page that says that a form was carried out. */
export const withDone = (address: string) => withQuery(address, "done", "1")
