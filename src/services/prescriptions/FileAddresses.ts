/** Addresses of PDFs that hold for five minutes of domain time: whoever has one may read that file, nobody else may. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"
import { Settings } from "../../config.ts"
import { OrganisationUid, PrescriptionUid } from "../../schemas/ids.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../SecretBox.ts"

/** Seconds. */
const LIFETIME = 300
export const FILES_PATH = "/v1/prescription-files"

const macOf = (key: Uint8Array, text: string) => createHmac("sha256", key).update(text).digest()

/** `base64url(names and expiry).base64url(HMAC-SHA-256)` */
export const signToken = (
  key: Uint8Array,
  { organisation_uid, prescription_uid }: PrescriptionRef,
  expires: number
) => {
  const text = Buffer.from(JSON.stringify([organisation_uid, prescription_uid, expires])).toString("base64url")
  return `${text}.${macOf(key, text).toString("base64url")}`
}

/** What the token names, or null when it was altered or its time is over. */
export const readToken = (key: Uint8Array, token: string, now: number): PrescriptionRef | null => {
  const [text = "", mac = "", ...rest] = token.split(".")
  const expected = macOf(key, text)
  const given = Buffer.from(mac, "base64url")
  // Compared as text too: base64url has more than one spelling of the same bytes.
  const same = given.length === expected.length && timingSafeEqual(given, expected)
  if (!same || rest.length > 0 || mac !== expected.toString("base64url")) return null
  const [organisation, prescription, expires] = JSON.parse(Buffer.from(text, "base64url").toString())
  if (now >= expires) return null
  return {
    organisation_uid: OrganisationUid.make(organisation),
    prescription_uid: PrescriptionUid.make(prescription)
  }
}

export class FileAddresses extends Effect.Service<FileAddresses>()("prescriptions/FileAddresses", {
  effect: Effect.gen(function* () {
    const key = yield* Effect.flatMap(SecretBox, (box) => box.derive("prescription-file-addresses"))
    const clock = yield* DomainClock
    const { baseUrl } = yield* Settings

    /** The address of a prescription's PDF, from now on for five minutes. */
    const addressOf = (prescription: PrescriptionRef): Effect.Effect<string> =>
      Effect.map(clock.now, (now) => `${baseUrl}${FILES_PATH}/${signToken(key, prescription, now + LIFETIME)}`)

    /** Whose PDF an address is of; one that is altered or expired is not found. */
    const open = Effect.fn("FileAddresses.open")(function* (token: string) {
      return readToken(key, token, yield* clock.now) ?? (yield* new NotFound({ what: "File" }))
    })
    return { addressOf, open } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
