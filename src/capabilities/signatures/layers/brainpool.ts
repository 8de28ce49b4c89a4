/** The Brainpool curves (RFC 5639) of German health professionals' cards, which Bun's cryptography lacks. */

import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from "@noble/curves/misc.js"
import { byWord } from "../../../schemas/byWord.ts"

const curves = byWord<typeof brainpoolP256r1>({
  "1.3.36.3.3.2.8.1.1.7": brainpoolP256r1,
  "1.3.36.3.3.2.8.1.1.11": brainpoolP384r1,
  "1.3.36.3.3.2.8.1.1.13": brainpoolP512r1
})

/** Verifies a digest with a key on the curve of this object identifier; undefined for any other curve. */
export const brainpoolVerifier = (curve: string) => {
  const found = curves[curve]
  if (found === undefined) return undefined
  return (digest: Uint8Array, signature: Uint8Array, key: Uint8Array) =>
    found.verify(signature, digest, key, { prehash: false, format: "der", lowS: false })
}
