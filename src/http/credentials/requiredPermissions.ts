/** The API key permissions that an endpoint requires: declared on it, enforced by `CredentialsLive`, shown in the OpenAPI document. */
import type { HttpApi, HttpApiEndpoint } from "@effect/platform"
import { Context, Option } from "effect"
import type { Permission } from "../../schemas/access/permissions.ts"
import { endpointsOf } from "../endpoints.ts"

/** A key that has any one of these permissions may call the endpoint; an endpoint without the annotation accepts no key. */
export class RequiredPermissions extends Context.Tag("http/RequiredPermissions")<
  RequiredPermissions,
  ReadonlyArray<Permission>
>() {}

/** The cast: every endpoint has annotations; `Any` hides them. */
export const requiredPermissionsOf = (endpoint: HttpApiEndpoint.HttpApiEndpoint.Any): ReadonlyArray<Permission> =>
  Option.getOrElse(
    Context.getOption((endpoint as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps).annotations, RequiredPermissions),
    () => []
  )

/** `METHOD path` → permissions, for every endpoint of an API. */
export const requiredPermissionsTable = (api: HttpApi.HttpApi.Any): ReadonlyMap<string, ReadonlyArray<Permission>> =>
  new Map(
    endpointsOf(api).map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, requiredPermissionsOf(endpoint)])
  )
