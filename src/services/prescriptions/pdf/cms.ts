/** Verifies the CMS message of a signature (RFC 5652): whether it matches the covered bytes, and who signed. */
import { fromBER } from "asn1js"
import { type Certificate, ContentInfo, SignedData } from "pkijs"
import { type Allowance, take } from "./allowance.ts"
import { type Covered, type DetachedCheck, engineFor } from "./brainpool.ts"
import { countElements, essential, withoutPadding } from "./der.ts"

export interface Verdict {
  readonly intact: boolean
  readonly signer: string | null
}

const COMMON_NAME = "2.5.4.3"
const TIMESTAMP = "1.2.840.113549.1.9.16.1.4"
/** Maximum bytes of DER. */
const MESSAGE_MAX = 256 * 1024
/** A PDF's signature has one signer (ETSI EN 319 142-1, ISO 32000-2). */
const SIGNERS_MAX = 4
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

/**
 * Times that the covered bytes are read: once for each algorithm of signed attributes, which have their digest; twice for any other
 * signer, for which they are also copied.
 */
const readings = ({ signerInfos }: SignedData) => {
  const attributed = signerInfos.filter(({ signedAttrs }) => signedAttrs !== undefined)
  const algorithms = new Set(attributed.map(({ digestAlgorithm }) => digestAlgorithm.algorithmId))
  return algorithms.size + 2 * (signerInfos.length - attributed.length)
}

/** Null for a document timestamp, which is not a person's signature. */
export const verify = async (
  padded: Uint8Array,
  covered: Covered,
  left: Allowance
): Promise<Verdict | null | "too_large"> => {
  const whole = withoutPadding(padded)
  if (whole.length > MESSAGE_MAX) return "too_large"
  if (countElements(whole) === undefined) return unreadable
  const message = essential(whole)
  if (!take(left, "elements", countElements(message) ?? 0)) return "too_large"
  try {
    const check = engineFor(covered)
    const signed = parse(message)
    if (signed === undefined || signed.signerInfos.length === 0) return unreadable
    if (signed.encapContentInfo.eContentType === TIMESTAMP) return null
    if (signed.signerInfos.length > SIGNERS_MAX) return "too_large"
    if (!take(left, "signers", signed.signerInfos.length)) return "too_large"
    if (!take(left, "hashed", readings(signed) * (covered[0].length + covered[1].length))) return "too_large"
    const verdicts: Array<Verdict> = []
    // one after another: each may copy the covered bytes
    for (const signer of signed.signerInfos.keys()) verdicts.push(await verifySigner(signed, signer, check))
    const detached = signed.encapContentInfo.eContent === undefined
    return { intact: detached && verdicts.every(({ intact }) => intact), signer: verdicts[0]?.signer ?? null }
  } catch {
    return unreadable // not CMS
  }
}
