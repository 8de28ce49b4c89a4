// SPDX-License-Identifier: Apache-2.0
/** Booking tokens, by which a partner's back end vouches for one patient. They never go to a browser's address. */

const AUDIENCE = "service-scheduling"
const LIFETIME_SECONDS = 240

export interface BookingTokenSecret {
  /** `kid`: names the secret. */
  readonly keyId: string
  /** The secret's text, as it was given. */
  readonly secret: string
}

export interface BookingTokenRequest {
  readonly shopIdentifier: string
  /** Your own stable number of the customer; the patient of the service is found by it. */
  readonly customerId: string
  /** Fields of the patient's profile, such as `first_name` and `email`; they are stored with the patient. */
  readonly profile?: Readonly<Record<string, unknown>>
  /** Default 240, at most 3,600. */
  readonly lifetimeSeconds?: number
}

const encoder = new TextEncoder()

const base64url = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

const part = (value: unknown) => base64url(encoder.encode(JSON.stringify(value)))

/** A booking token (JWT, HS256) for one patient, to be exchanged with `createBookingSession`. */
export const mintBookingToken = async (
  { keyId, secret }: BookingTokenSecret,
  { shopIdentifier, customerId, profile = {}, lifetimeSeconds = LIFETIME_SECONDS }: BookingTokenRequest
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    aud: AUDIENCE,
    iat: now,
    nbf: now,
    exp: now + lifetimeSeconds,
    shop_identifier: shopIdentifier,
    shop_customer_id: customerId,
    patient_profile_fields: Object.entries(profile).map(([field, value]) => ({ field, value, source: "shop" }))
  }
  const signed = `${part({ alg: "HS256", typ: "JWT", kid: keyId })}.${part(claims)}`
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"])
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(signed))
  return `${signed}.${base64url(new Uint8Array(signature))}`
}
