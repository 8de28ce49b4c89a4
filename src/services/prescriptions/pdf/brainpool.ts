/**
 * The crypto engine of pkijs. Web Crypto lacks the Brainpool curves (RFC 5639) of German health professional cards, so signatures with
 * such keys are verified here.
 */
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from "@noble/curves/misc.js"
import type { BitString, OctetString } from "asn1js"
import { type AlgorithmIdentifier, CryptoEngine, type ICryptoEngine, type PublicKeyInfo } from "pkijs"

const curves: Readonly<Record<string, typeof brainpoolP256r1>> = {
  "1.3.36.3.3.2.8.1.1.7": brainpoolP256r1,
  "1.3.36.3.3.2.8.1.1.11": brainpoolP384r1,
  "1.3.36.3.3.2.8.1.1.13": brainpoolP512r1
}

const curveOf = ({ algorithm }: PublicKeyInfo) => curves[String(algorithm.algorithmParams?.valueBlock)]

/** The bytes covered by a signature, in two parts, which are hashed without concatenation. */
export type Covered = readonly [Uint8Array, Uint8Array]

/** Bun's names of Web Crypto's hashes. */
const hashes: Readonly<Record<string, Bun.SupportedCryptoAlgorithms>> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512"
}

const join = ([head, tail]: Covered) => {
  const data = new Uint8Array(head.length + tail.length)
  data.set(head)
  data.set(tail, head.length)
  return data
}

/** Verifies signatures over one covered text. pkijs receives `placeholder` as the data; the covered bytes are used in its place. */
class DetachedEngine extends CryptoEngine {
  readonly placeholder = new ArrayBuffer(1)
  readonly #covered: Covered
  readonly #digests = new Map<string, ArrayBuffer>()
  #copy: Uint8Array<ArrayBuffer> | undefined

  constructor(covered: Covered) {
    super({ name: "", crypto })
    this.#covered = covered
  }

  #covers(data: BufferSource) {
    return data === this.placeholder || (ArrayBuffer.isView(data) && data.buffer === this.placeholder)
  }

  /** In one piece, for Web Crypto. */
  #joined() {
    this.#copy ??= join(this.#covered)
    return this.#copy
  }

  override async digest(algorithm: string | { readonly name: string }, data: BufferSource): Promise<ArrayBuffer> {
    if (!this.#covers(data)) return super.digest(algorithm, data)
    const name = typeof algorithm === "string" ? algorithm : algorithm.name
    const known = this.#digests.get(name)
    if (known !== undefined) return known
    const hash = hashes[name.toUpperCase()]
    if (hash === undefined) return super.digest(algorithm, this.#joined())
    const hasher = new Bun.CryptoHasher(hash)
    for (const piece of this.#covered) hasher.update(piece)
    const digest = new Uint8Array(hasher.digest()).buffer
    this.#digests.set(name, digest)
    return digest
  }

  override async verifyWithPublicKey(
    signed: BufferSource,
    signature: BitString | OctetString,
    key: PublicKeyInfo,
    algorithm: AlgorithmIdentifier,
    shaAlgorithm?: string
  ): Promise<boolean> {
    const curve = curveOf(key)
    if (curve === undefined) {
      const data = this.#covers(signed) ? this.#joined() : signed
      return super.verifyWithPublicKey(data, signature, key, algorithm, shaAlgorithm)
    }
    const hash = await this.digest(shaAlgorithm ?? this.getHashAlgorithm(algorithm), signed)
    return curve.verify(
      signature.valueBlock.valueHexView,
      new Uint8Array(hash),
      key.subjectPublicKey.valueBlock.valueHexView,
      { prehash: false, format: "der", lowS: false }
    )
  }
}

/** An engine for signatures over these bytes, and the placeholder for pkijs. */
export const engineFor = (covered: Covered) => {
  const engine = new DetachedEngine(covered)
  // the cast: pkijs is declared for the DOM's SubtleCrypto; Node's declares more methods, which pkijs does not call
  return { engine: engine as unknown as CryptoEngine & ICryptoEngine, data: engine.placeholder }
}
export type DetachedCheck = ReturnType<typeof engineFor>
