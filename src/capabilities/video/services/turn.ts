import { HOUR, MINUTE } from "../../../schemas/seconds.ts"
import type { IceServer } from "../schemas/Signal.ts"

/** Maximum lifetime of TURN credentials, seconds: longer than most consultations, shorter than a working day. */
const TURN_LIFETIME_MAX = 6 * HOUR
/** How long credentials outlive the join window, seconds: the relay's clock may be ahead of ours. */
const CLOCK_TOLERANCE = MINUTE

/** Lifetime of TURN credentials for a meeting whose join window closes in so many seconds. Each connection gets new ones. */
export const turnLifetime = (windowSeconds: number) => Math.min(TURN_LIFETIME_MAX, windowSeconds + CLOCK_TOLERANCE)

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
  lifetime: number
): IceServer => {
  const username = `${now + lifetime}:${label}`
  const credential = new Bun.CryptoHasher("sha1", secret).update(username).digest("base64")
  return { urls, username, credential }
}
