/** What an endpoint asks of an API key: declared on the endpoint, enforced in `CredentialsLive`, shown in OpenAPI. */
import { HttpApi, type HttpApiEndpoint } from "@effect/platform"
import { Context, Option } from "effect"
import type { Permission } from "../schemas/access/permissions.ts"

/** Any one of these permissions will do. */
export class Needs extends Context.Tag("http/Needs")<Needs, ReadonlyArray<Permission>>() {}

export const needsOf = (endpoint: HttpApiEndpoint.HttpApiEndpoint.Any): ReadonlyArray<Permission> =>
  Option.getOrElse(
    Context.getOption((endpoint as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps).annotations, Needs),
    () => []
  )

/** `METHOD path` → permissions, for every endpoint of an interface. */
export const needsTable = (api: HttpApi.HttpApi.Any): ReadonlyMap<string, ReadonlyArray<Permission>> => {
  const table = new Map<string, ReadonlyArray<Permission>>()
  // typed for an interface whose groups are known; it only walks them
  HttpApi.reflect(api as never, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => table.set(`${endpoint.method} ${endpoint.path}`, needsOf(endpoint))
  })
  return table
}
