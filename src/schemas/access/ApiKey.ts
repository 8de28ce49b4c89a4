import { Schema } from "effect"
import { body, listOf, Name, oneOf, UnixSeconds } from "../fields.ts"
import { ApiKeyUid } from "../ids.ts"
import { OrganisationPermission, organisationPermissions } from "./permissions.ts"

/** An API key of an organisation in a list: its permissions, never the key itself. */
export const ListedApiKey = Schema.Struct({
  uid: ApiKeyUid,
  name: Schema.String.annotations({ description: "Purpose of the key" }),
  permissions: Schema.Array(OrganisationPermission).annotations({ description: "Permissions of the key" }),
  created_at: UnixSeconds,
  last_used_at: Schema.NullOr(UnixSeconds).annotations({ description: "To the minute" }),
  revoked_at: Schema.NullOr(UnixSeconds).annotations({ description: "Unix seconds; null while the key is valid" })
}).annotations({ identifier: "ApiKey" })
export type ListedApiKey = typeof ListedApiKey.Type

export const NewApiKey = body({
  name: Name.annotations({ description: "Purpose of the key" }),
  permissions: listOf(oneOf(...organisationPermissions), {
    max: organisationPermissions.length,
    description: "Permissions of the key"
  })
})
export type NewApiKey = typeof NewApiKey.Type

/** A new key: the only response that contains the key itself. */
export const CreatedApiKey = Schema.Struct({
  ...ListedApiKey.fields,
  key: Schema.String.annotations({ description: "Shown only here" })
}).annotations({ identifier: "CreatedApiKey" })
