import type { IceServer } from "../../schemas/meetings/Signal.ts"

/** How long TURN credentials hold: longer than any consultation, shorter than a working day. */
export const TURN_LIFETIME_SECONDS = 6 * 3600

/** The same for the test of a connection, which whoever has an appointment's link can make at any time. */
export const TURN_TEST_SECONDS = 600

/**
 * Time-limited credentials for a TURN server that shares `secret` with us (coturn's `use-auth-secret`): the user name is
 * the expiry and an opaque label, the password its HMAC-SHA1. `label` must not tell who the person is, for relays log it.
 * `now` is real time in Unix seconds, because the relay checks it.
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
