import { Schema } from "effect"
import { body, listOf, Name, oneOf, UnixSeconds } from "../fields.ts"
import { ApiKeyUid } from "../ids.ts"
import { OrganisationPermission, organisationPermissions } from "./permissions.ts"

/** An API key of an organisation in a list: what it may do, never its text. */
export const ListedApiKey = Schema.Struct({
  uid: ApiKeyUid,
  name: Schema.String.annotations({ description: "What the key is for" }),
  permissions: Schema.Array(OrganisationPermission).annotations({ description: "What the key may do" }),
  created_at: UnixSeconds,
  last_used_at: Schema.NullOr(UnixSeconds).annotations({ description: "To the minute" }),
  revoked_at: Schema.NullOr(UnixSeconds).annotations({ description: "Unix seconds; null while the key is valid" })
}).annotations({ identifier: "ApiKey" })
export type ListedApiKey = typeof ListedApiKey.Type

export const NewApiKey = body({
  name: Name.annotations({ description: "What the key is for" }),
  permissions: listOf(oneOf(...organisationPermissions), {
    max: organisationPermissions.length,
    description: "What the key may do"
  })
})
export type NewApiKey = typeof NewApiKey.Type

/** A key just made: the only time that its text is shown. */
export const CreatedApiKey = Schema.Struct({
  ...ListedApiKey.fields,
  key: Schema.String.annotations({ description: "Shown only here" })
}).annotations({ identifier: "CreatedApiKey" })
