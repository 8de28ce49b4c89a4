/** Keys in the interface of an organisation's administrators. */
import { Schema } from "effect"
import { ListedApiKey } from "../../../schemas/access/ApiKey.ts"
import { organisationPermissions } from "../../../schemas/access/permissions.ts"
import { body, described, listOf, Name, oneOf } from "../../../schemas/fields.ts"

export const NewApiKey = body({
  name: described(Name, "Purpose of the key"),
  permissions: listOf(oneOf(...organisationPermissions), {
    max: organisationPermissions.length,
    description: "Permissions of the key"
  })
})
export type NewApiKey = typeof NewApiKey.Type

/** A new key: the only response that contains the key itself. */
export const CreatedApiKey = Schema.Struct({
  ...ListedApiKey.fields,
  key: described(Schema.String, "Shown only here")
}).annotations({ identifier: "CreatedApiKey" })
