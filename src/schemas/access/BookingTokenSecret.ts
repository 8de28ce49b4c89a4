import { Schema } from "effect"
import { UnixSeconds } from "../fields.ts"

/** A booking-token secret in a list: which keys there are, not what they are. */
export const ListedSecret = Schema.Struct({
  key_id: Schema.String.annotations({ description: "Public name of the secret, sent as `kid` in tokens" }),
  created_at: UnixSeconds,
  revoked_at: Schema.NullOr(UnixSeconds).annotations({ description: "Unix seconds; null while the secret is valid" })
})
export type ListedSecret = typeof ListedSecret.Type

/** What was provisioned: `key_id` goes into the tokens' `kid`, `secret` is the HMAC key as its text stands. */
export const ProvisionedSecret = Schema.Struct({
  key_id: Schema.String.annotations({ description: "Public name of the secret, sent as `kid` in tokens" }),
  secret: Schema.String.annotations({ description: "HMAC key, used as its text stands; keep it secret" })
})

/** A secret read back. */
export const BookingTokenSecret = Schema.Struct({ ...ProvisionedSecret.fields, created_at: UnixSeconds })
export type BookingTokenSecret = typeof BookingTokenSecret.Type
