import { Schema } from "effect"
import { described, UnixSeconds } from "../fields.ts"

/** A booking-token secret in a list, without the secret itself. */
export const ListedSecret = Schema.Struct({
  key_id: described(Schema.String, "Public name of the secret, sent as `kid` in tokens"),
  created_at: UnixSeconds,
  revoked_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null while the secret is valid")
})
export type ListedSecret = typeof ListedSecret.Type

/** A provisioned secret: `key_id` is the tokens' `kid`; the HMAC key is the UTF-8 text of `secret`. */
export const ProvisionedSecret = Schema.Struct({
  key_id: described(Schema.String, "Public name of the secret, sent as `kid` in tokens"),
  secret: described(Schema.String, "HMAC key, its characters are the key, not decoded; keep it secret")
})

/** A secret that is read again. */
export const BookingTokenSecret = Schema.Struct({ ...ProvisionedSecret.fields, created_at: UnixSeconds })
export type BookingTokenSecret = typeof BookingTokenSecret.Type
