/** Verifies the CMS message of a signature (RFC 5652): whether it matches the covered bytes, and who signed. */
import { fromBER } from "asn1js"
import { type Certificate, ContentInfo, SignedData } from "pkijs"
import type { Allowance } from "./allowance.ts"
import { type Covered, type DetachedCheck, engineFor } from "./brainpool.ts"

export interface Verdict {
  readonly intact: boolean
  readonly signer: string | null
}

const COMMON_NAME = "2.5.4.3"
const TIMESTAMP = "1.2.840.113549.1.9.16.1.4"
/** Maximum bytes of DER and signers: the objects of a larger message would take hundreds of MiB. */
const MESSAGE_MAX = 256 * 1024
const SIGNERS_MAX = 16
const unreadable: Verdict = { intact: false, signer: null }

const nameOf = ({ subject }: Certificate): string => {
  const parts = subject.typesAndValues
  const named = parts.find(({ type }) => type === COMMON_NAME)
  return named === undefined
    ? parts.map(({ value }) => String(value.valueBlock.value)).join(", ")
    : String(named.value.valueBlock.value)
}

const parse = (message: Uint8Array): SignedData | undefined => {
  const { result, offset } = fromBER(message)
  if (offset === -1) return undefined
  return new SignedData({ schema: new ContentInfo({ schema: result }).content })
}

const verifySigner = async (signed: SignedData, signer: number, { engine, data }: DetachedCheck): Promise<Verdict> => {
  // A failed check rejects, with the certificate in the rejection.
  const result = await signed
    .verify({ signer, data, checkChain: false, extendedMode: true }, engine)
    .catch((refused: { readonly signerCertificate?: Certificate | null }) => ({ ...refused, signatureVerified: false }))
  const certificate = result.signerCertificate ?? null
  return { intact: result.signatureVerified === true, signer: certificate === null ? null : nameOf(certificate) }
}

/** The message without its zero padding, by the length in its DER header. */
const withoutPadding = (message: Uint8Array): Uint8Array => {
  const [, length = 0x80] = message
  const more = length & 0x7f
  if (length < 0x80) return message.subarray(0, 2 + length)
  if (more === 0 || more > 4) return message
  return message.subarray(0, message.subarray(2, 2 + more).reduce((sum, byte) => sum * 256 + byte, 0) + 2 + more)
}

/** Null for a document timestamp, which is not a person's signature. */
export const verify = async (
  padded: Uint8Array,
  covered: Covered,
  left: Pick<Allowance, "signers">
): Promise<Verdict | null | "too_large"> => {
  const message = withoutPadding(padded)
  if (message.length > MESSAGE_MAX) return "too_large"
  try {
    const check = engineFor(covered)
    const signed = parse(message)
    if (signed === undefined || signed.signerInfos.length === 0) return unreadable
    if (signed.encapContentInfo.eContentType === TIMESTAMP) return null
    left.signers -= signed.signerInfos.length
    if (signed.signerInfos.length > SIGNERS_MAX || left.signers < 0) return "too_large"
    const verdicts = await Promise.all(signed.signerInfos.map((_, signer) => verifySigner(signed, signer, check)))
    const detached = signed.encapContentInfo.eContent === undefined
    return { intact: detached && verdicts.every(({ intact }) => intact), signer: verdicts[0]?.signer ?? null }
  } catch {
    return unreadable // not CMS
  }
}
