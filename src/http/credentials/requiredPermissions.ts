/** The API key permissions that an endpoint requires: declared on it or on its group, enforced by `CredentialsLive`, shown in the OpenAPI document. */
import type { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import type { Permission } from "../../schemas/access/permissions.ts"
import type { Declared } from "../annotations.ts"
import { endpointsOf } from "../endpoints.ts"

/** A key that has any one of these permissions may call the endpoint; an endpoint that neither it nor its group has accepts no key. */
export class RequiredPermissions extends Context.Tag("http/RequiredPermissions")<
  RequiredPermissions,
  ReadonlyArray<Permission>
>() {}

/** The same for all endpoints of a group that do not say otherwise: its GETs, and those that change something. */
export class GroupPermissions extends Context.Tag("http/GroupPermissions")<
  GroupPermissions,
  Readonly<Record<"read" | "change", ReadonlyArray<Permission>>>
>() {}

export const requiredPermissionsOf = ({ group, endpoint }: Declared): ReadonlyArray<Permission> =>
  Context.getOption(endpoint.annotations, RequiredPermissions).pipe(
    Option.orElse(() =>
      Option.map(Context.getOption(group.annotations, GroupPermissions), ({ read, change }) =>
        endpoint.method === "GET" ? read : change
      )
    ),
    Option.getOrElse(() => [])
  )

/** `METHOD path` → permissions, for every endpoint of an API. */
export const requiredPermissionsTable = (api: HttpApi.HttpApi.Any): ReadonlyMap<string, ReadonlyArray<Permission>> =>
  new Map(
    endpointsOf(api).map((declared) => [
      `${declared.endpoint.method} ${declared.endpoint.path}`,
      requiredPermissionsOf(declared)
    ])
  )
