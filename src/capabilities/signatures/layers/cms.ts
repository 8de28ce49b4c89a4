/**
 * Verifies the CMS message of a signature (RFC 5652): whether it matches the covered bytes, and who signed. It judges as
 * `openssl cms -verify -noverify` does. What it does not understand is `NotExaminable`, never broken.
 */

import { constants, createHash, createPublicKey, createVerify, type KeyObject, publicDecrypt } from "node:crypto"
import { type FromBerResult, fromBER, ObjectIdentifier, OctetString, Sequence } from "asn1js"
import {
  type AlgorithmIdentifier,
  Certificate,
  ContentInfo,
  IssuerAndSerialNumber,
  type PublicKeyInfo,
  RSASSAPSSParams,
  SignedData,
  type SignerInfo
} from "pkijs"
import { byWord } from "../../../schemas/byWord.ts"
import { brainpoolVerifier } from "./brainpool.ts"
import { NotExaminable } from "./NotExaminable.ts"

/** The bytes covered by a signature, in two parts, which are hashed without concatenation. */
export type Covered = readonly [Uint8Array, Uint8Array]

export interface Verdict {
  readonly intact: boolean
  readonly signer: string | null
}

/** Bytes of a message, padding included. A chain, a time stamp and revocation lists have some 60,000. */
export const BYTES_MAX = 1024 * 1024

const COMMON_NAME = "2.5.4.3"
const KEY_IDENTIFIER = "2.5.29.14"
const CONTENT_TYPE = "1.2.840.113549.1.9.3"
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4"
const TIMESTAMP = "1.2.840.113549.1.9.16.1.4"
const RSA_PSS = "1.2.840.113549.1.1.10"
/** Object identifiers of keys and signature algorithms begin with these. */
const [RSA, ECDSA] = ["1.2.840.113549.1.1.", "1.2.840.10045."]

const hashes = byWord<string>({
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.4": "sha224",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
  "2.16.840.1.101.3.4.2.6": "sha512-256"
})

const nameOf = ({ subject }: Certificate): string => {
  const parts = subject.typesAndValues
  const named = parts.find(({ type }) => type === COMMON_NAME)
  return named === undefined
    ? parts.map(({ value }) => String(value.valueBlock.value)).join(", ")
    : String(named.value.valueBlock.value)
}

/** Undefined if the bytes are no BER at all. Strings are not searched for elements: their bytes are arbitrary. */
const elementOf = (bytes: Uint8Array): FromBerResult["result"] | undefined => {
  const { offset, result } = fromBER(bytes, { parseEmbedded: false })
  if (result.error.startsWith("Maximum ASN.1")) throw new NotExaminable("signature_elements")
  return offset === -1 ? undefined : result
}

const parsed = <A>(read: () => A): A => {
  try {
    return read()
  } catch {
    throw new NotExaminable("signature_form") // pkijs throws its own kind of error for each structure
  }
}

/** RFC 5280 leaves the way of deriving a key's identifier to the issuer, so it is compared with the certificate's extension. */
const keyIdentifierOf = ({ extensions }: Certificate): Uint8Array | undefined => {
  const extension = extensions?.find(({ extnID }) => extnID === KEY_IDENTIFIER)
  const identifier = extension && elementOf(extension.extnValue.valueBlock.valueHexView)
  return identifier instanceof OctetString ? identifier.valueBlock.valueHexView : undefined
}

const octetsOf = (element: unknown): Uint8Array | undefined =>
  element instanceof OctetString ? new Uint8Array(element.getValue()) : undefined

const isNamed = ({ sid }: SignerInfo) => {
  if (sid instanceof IssuerAndSerialNumber)
    return (certificate: Certificate) =>
      certificate.serialNumber.isEqual(sid.serialNumber) && certificate.issuer.isEqual(sid.issuer)
  const identifier = Buffer.from(sid.valueBlock.valueHexView ?? [])
  return (certificate: Certificate) => {
    const own = keyIdentifierOf(certificate)
    return own !== undefined && identifier.equals(own)
  }
}

const hashOf = ({ algorithmId }: AlgorithmIdentifier) => {
  const hash = hashes[algorithmId]
  if (hash === undefined) throw new NotExaminable("signature_algorithm")
  return hash
}

const digestOf = (hash: string, pieces: ReadonlyArray<Uint8Array>) => {
  const hasher = createHash(hash)
  for (const piece of pieces) hasher.update(piece)
  return hasher.digest()
}

/** RSA keys are read without their algorithm, which may be that of PSS. */
const keyOf = (info: PublicKeyInfo): KeyObject => {
  const isRsa = info.algorithm.algorithmId.startsWith(RSA)
  const key = isRsa ? info.subjectPublicKey.valueBlock.valueHexView : new Uint8Array(info.toSchema().toBER())
  try {
    return createPublicKey({ key: Buffer.from(key), format: "der", type: isRsa ? "pkcs1" : "spki" })
  } catch {
    throw new NotExaminable("signature_algorithm") // a curve or a length that Bun's cryptography lacks
  }
}

/** The padding of a signature by RSA. */
const paddingOf = ({ algorithmId, algorithmParams }: AlgorithmIdentifier, hash: string) => {
  if (algorithmId !== RSA_PSS) return { padding: constants.RSA_PKCS1_PADDING }
  const { hashAlgorithm, maskGenAlgorithm, saltLength } = parsed(() => new RSASSAPSSParams({ schema: algorithmParams }))
  const mask = parsed(() => String(maskGenAlgorithm.algorithmParams.valueBlock.value[0].valueBlock))
  if (hashes[mask] !== hash || hashes[hashAlgorithm.algorithmId] !== hash)
    throw new NotExaminable("signature_algorithm")
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
}

/**
 * Whether RSA has signed this digest in a DigestInfo whose algorithm has no parameters instead of NULL. RFC 8017 lets verifiers take it, and
 * versions of OpenSSL differ.
 */
const hasNoNull = (key: KeyObject, signature: Uint8Array, { algorithmId }: AlgorithmIdentifier, digest: Buffer) => {
  const digestAlgorithm = new Sequence({ value: [new ObjectIdentifier({ value: algorithmId })] })
  const value = [digestAlgorithm, new OctetString({ valueHex: Uint8Array.from(digest).buffer })]
  const expected = Buffer.from(new Sequence({ value }).toBER())
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature).equals(expected)
  } catch {
    return false // no padding of PKCS #1
  }
}

const isVerified = (signer: SignerInfo, info: PublicKeyInfo, hash: string, pieces: ReadonlyArray<Uint8Array>) => {
  const { signatureAlgorithm } = signer
  const signature = octetsOf(signer.signature) ?? new Uint8Array()
  const { algorithmId, algorithmParams } = info.algorithm
  const family = [RSA, ECDSA].find((one) => algorithmId.startsWith(one))
  if (family === undefined || !signatureAlgorithm.algorithmId.startsWith(family))
    throw new NotExaminable("signature_algorithm")
  const brainpool = family === ECDSA && brainpoolVerifier(String(algorithmParams.valueBlock))
  if (brainpool) return brainpool(digestOf(hash, pieces), signature, info.subjectPublicKey.valueBlock.valueHexView)
  const verifier = createVerify(hash)
  for (const piece of pieces) verifier.update(piece)
  const key = keyOf(info)
  if (family !== RSA) return verifier.verify(key, signature)
  const padding = paddingOf(signatureAlgorithm, hash)
  if (verifier.verify({ key, ...padding }, signature)) return true
  const isPss = padding.padding === constants.RSA_PKCS1_PSS_PADDING
  if (!isPss && hasNoNull(key, signature, signer.digestAlgorithm, digestOf(hash, pieces)))
    throw new NotExaminable("signature_form")
  return false
}

/** The only value of an attribute that has to occur once. */
const attributeOf = ({ signedAttrs }: SignerInfo, type: string): unknown => {
  const found = signedAttrs?.attributes.filter((attribute) => attribute.type === type) ?? []
  return found.length === 1 && found[0]?.values.length === 1 ? found[0].values[0] : undefined
}

const isIntact = (signed: SignedData, signer: SignerInfo, info: PublicKeyInfo, covered: Covered): boolean => {
  const hash = hashOf(signer.digestAlgorithm)
  if (signer.signedAttrs === undefined) return isVerified(signer, info, hash, covered)
  const digest = octetsOf(attributeOf(signer, MESSAGE_DIGEST))
  const type = attributeOf(signer, CONTENT_TYPE) as { readonly valueBlock?: unknown } | undefined
  if (String(type?.valueBlock) !== signed.encapContentInfo.eContentType) return false
  if (digest === undefined || !digestOf(hash, covered).equals(digest)) return false
  return isVerified(signer, info, hash, [new Uint8Array(signer.signedAttrs.encodedValue)])
}

const verifySigner = (signed: SignedData, signer: SignerInfo, covered: Covered): Verdict => {
  const certificates = signed.certificates?.filter((one) => one instanceof Certificate) ?? []
  const certificate = certificates.find(isNamed(signer))
  if (certificate === undefined) throw new NotExaminable("signature_certificate")
  return { intact: isIntact(signed, signer, certificate.subjectPublicKeyInfo, covered), signer: nameOf(certificate) }
}

/** Null for a document time stamp, which is not a person's signature. */
export const verify = (message: Uint8Array, covered: Covered): Verdict | null => {
  if (message.length > BYTES_MAX) throw new NotExaminable("signature_size")
  // A placeholder that was never filled, or bytes that are no message: there is nothing to verify
  const element = message.every((byte) => byte === 0) ? undefined : elementOf(message)
  if (element === undefined) return { intact: false, signer: null }
  const signed = parsed(() => new SignedData({ schema: new ContentInfo({ schema: element }).content }))
  if (signed.encapContentInfo.eContentType === TIMESTAMP) return null
  if (signed.encapContentInfo.eContent !== undefined) throw new NotExaminable("signature_form")
  const verdicts = signed.signerInfos.map((signer) => verifySigner(signed, signer, covered))
  return { intact: verdicts.length > 0 && verdicts.every(({ intact }) => intact), signer: verdicts[0]?.signer ?? null }
}
