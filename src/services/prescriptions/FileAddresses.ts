/** Signed URLs of PDFs. A bearer of the URL can read the file (Rule 9.2.2). */
import { Effect } from "effect"
import { Settings } from "../../config.ts"
import { FileNotFound } from "../../schemas/prescriptions/errors.ts"
import { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { signToken, verifyToken } from "../access/signedTokens.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../sealing/SecretBox.ts"
import { enter } from "../tenancy/Tenancy.ts"

/** Lifetime of a URL, seconds of domain time. */
export const FILE_ADDRESS_SECONDS = 300
const ISSUER = "sprechstunde/prescription-files"
export const FILES_PATH = "/v1/prescription-files"

const verify = verifyToken(PrescriptionRef)

/** Base64url has several spellings of the same bytes; only the one that was signed is accepted. */
const isCanonical = (token: string) =>
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part)

export class FileAddresses extends Effect.Service<FileAddresses>()("prescriptions/FileAddresses", {
  effect: Effect.gen(function* () {
    const key = yield* Effect.flatMap(SecretBox, (box) => box.derive("prescription-file-addresses"))
    const clock = yield* DomainClock
    const { baseUrl } = yield* Settings

    /** The URL of a prescription's PDF, valid for five minutes. */
    const addressOf = Effect.fn("FileAddresses.addressOf")(function* (prescription: PrescriptionRef) {
      const now = yield* clock.now
      const { token } = yield* signToken(key, { ...prescription, iss: ISSUER }, { lifetime: FILE_ADDRESS_SECONDS, now })
      return `${baseUrl}${FILES_PATH}/${token}`
    })

    /** The prescription of a URL's token. Fails with `FileNotFound` if it is altered or expired. */
    const open = Effect.fn("FileAddresses.open")(function* (token: string) {
      if (!isCanonical(token)) return yield* new FileNotFound()
      const now = yield* clock.now
      return yield* verify(key, token, { issuer: ISSUER, now }).pipe(
        Effect.mapError(() => new FileNotFound()),
        Effect.tap(enter)
      )
    })
    return { addressOf, open } as const
  })
}) {}
