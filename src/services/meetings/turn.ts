import type { IceServer } from "../../schemas/meetings/Signal.ts"
import { HOUR } from "../../schemas/seconds.ts"

/** Lifetime of TURN credentials, seconds: longer than any consultation, shorter than a working day. */
export const TURN_LIFETIME_SECONDS = 6 * HOUR

/** Lifetime for connection tests, which anyone with an appointment link can run at any time. Seconds. */
export const TURN_TEST_SECONDS = 600

/**
 * Time-limited credentials for a TURN server that shares `secret` with us (coturn's `use-auth-secret`): the user name is the expiry and
 * an opaque label, the password its HMAC-SHA1. `label` must not identify the person, since relays log it. `now` is real time in Unix
 * seconds, because the relay checks it.
 */
export const turnServer = (
  urls: ReadonlyArray<string>,
  secret: string,
  label: string,
  now: number,
  lifetime: number = TURN_LIFETIME_SECONDS
): IceServer => {
  const username = `${now + lifetime}:${label}`
  const credential = new Bun.CryptoHasher("sha1", secret).update(username).digest("base64")
  return { urls, username, credential }
}
