import { Schema } from "effect"
import { described, UnixSeconds } from "../fields.ts"
import { ApiKeyUid } from "../ids.ts"
import { OrganisationPermission } from "./permissions.ts"

/** An API key of an organisation in a list: its permissions, never the key itself. */
export const ListedApiKey = Schema.Struct({
  uid: ApiKeyUid,
  name: described(Schema.String, "Purpose of the key"),
  permissions: described(Schema.Array(OrganisationPermission), "Permissions of the key"),
  created_at: UnixSeconds,
  last_used_at: described(Schema.NullOr(UnixSeconds), "To the minute"),
  revoked_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null while the key is valid")
}).annotations({ identifier: "ApiKey" })
export type ListedApiKey = typeof ListedApiKey.Type
