/** The CMS message of a signature (RFC 5652): does it belong to these bytes, and who signed. */
import { fromBER } from "asn1js"
import { type Certificate, ContentInfo, SignedData } from "pkijs"
import { engine } from "./brainpool.ts"

export interface Verdict {
  readonly intact: boolean
  readonly signer: string | null
}

const COMMON_NAME = "2.5.4.3"
const TIMESTAMP = "1.2.840.113549.1.9.16.1.4"
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

const verifySigner = async (signed: SignedData, signer: number, data: ArrayBuffer): Promise<Verdict> => {
  // A failed check rejects too, with the certificate still named in the rejection.
  const result = await signed
    .verify({ signer, data, checkChain: false, extendedMode: true }, engine)
    .catch((refused: { readonly signerCertificate?: Certificate | null }) => ({ ...refused, signatureVerified: false }))
  const certificate = result.signerCertificate ?? null
  return { intact: result.signatureVerified === true, signer: certificate === null ? null : nameOf(certificate) }
}

/** Null for a document time stamp, which is no one's signature. */
export const verify = async (message: Uint8Array, data: ArrayBuffer): Promise<Verdict | null> => {
  try {
    const signed = parse(message)
    if (signed === undefined || signed.signerInfos.length === 0) return unreadable
    if (signed.encapContentInfo.eContentType === TIMESTAMP) return null
    const verdicts = await Promise.all(signed.signerInfos.map((_, signer) => verifySigner(signed, signer, data)))
    const detached = signed.encapContentInfo.eContent === undefined
    return { intact: detached && verdicts.every(({ intact }) => intact), signer: verdicts[0]?.signer ?? null }
  } catch {
    return unreadable // not CMS: whatever stands there is not a signature that holds
  }
}
