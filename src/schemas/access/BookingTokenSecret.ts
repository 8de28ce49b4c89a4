import { Schema } from "effect"
import { UnixSeconds } from "../fields.ts"

/** A booking-token secret in a list, without the secret itself. */
export const ListedSecret = Schema.Struct({
  key_id: Schema.String.annotations({ description: "Public name of the secret, sent as `kid` in tokens" }),
  created_at: UnixSeconds,
  revoked_at: Schema.NullOr(UnixSeconds).annotations({ description: "Unix seconds; null while the secret is valid" })
})
export type ListedSecret = typeof ListedSecret.Type

/** A provisioned secret: `key_id` is the tokens' `kid`; the HMAC key is the UTF-8 text of `secret`. */
export const ProvisionedSecret = Schema.Struct({
  key_id: Schema.String.annotations({ description: "Public name of the secret, sent as `kid` in tokens" }),
  secret: Schema.String.annotations({
    description: "HMAC key, its characters are the key, not decoded; keep it secret"
  })
})

/** A secret that is read again. */
export const BookingTokenSecret = Schema.Struct({ ...ProvisionedSecret.fields, created_at: UnixSeconds })
export type BookingTokenSecret = typeof BookingTokenSecret.Type
