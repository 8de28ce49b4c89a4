/** Signed addresses of files. Whoever has one can read its file (Rule 9.2.2). */
import { Effect, type Schema } from "effect"
import { Settings } from "../../config.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../sealing/SecretBox.ts"
import { enter } from "../tenancy/Tenancy.ts"
import { signToken, verifyToken } from "./signedTokens.ts"

/** Lifetime of an address, seconds of domain time. */
export const FILE_ADDRESS_SECONDS = 300

/** Base64url has several spellings of the same bytes; only the one that was signed is accepted. */
const isCanonical = (token: string) =>
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part)

/** Those of one kind, such as `prescription-file`, below a path; `ref` identifies the file. */
export const fileAddresses = <A extends { readonly organisation_uid: OrganisationUid }, I, E>(
  kind: string,
  path: string,
  ref: Schema.Schema<A, I>,
  notFound: () => E
) => {
  const verify = verifyToken(ref)
  const issuer = `sprechstunde/${kind}s`
  return Effect.gen(function* () {
    const key = yield* Effect.flatMap(SecretBox, (box) => box.derive(`${kind}-addresses`))
    const clock = yield* DomainClock
    const { baseUrl } = yield* Settings

    /** The address of a file, and when it expires. */
    const addressOf = Effect.fn("fileAddresses.addressOf")(function* (file: A) {
      const now = yield* clock.now
      const { token, expires_at } = yield* signToken(
        key,
        { ...file, iss: issuer },
        { lifetime: FILE_ADDRESS_SECONDS, now }
      )
      return { url: `${baseUrl}${path}/${token}`, expires_at }
    })

    /** The file of an address's token. Fails as `notFound` says if it is altered or expired. */
    const open = Effect.fn("fileAddresses.open")(function* (token: string) {
      if (!isCanonical(token)) return yield* Effect.fail(notFound())
      const now = yield* clock.now
      return yield* verify(key, token, { issuer, now }).pipe(Effect.mapError(notFound), Effect.tap(enter))
    })
    return { addressOf, open } as const
  })
}
