/**
 * German health professionals' cards sign on Brainpool curves (RFC 5639), which web cryptography does not know: for keys
 * on these, and for no others, signatures are checked here.
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

class EngineWithBrainpool extends CryptoEngine {
  override async verifyWithPublicKey(
    data: BufferSource,
    signature: BitString | OctetString,
    key: PublicKeyInfo,
    algorithm: AlgorithmIdentifier,
    shaAlgorithm?: string
  ): Promise<boolean> {
    const curve = curveOf(key)
    if (curve === undefined) return super.verifyWithPublicKey(data, signature, key, algorithm, shaAlgorithm)
    const hash = await this.digest(shaAlgorithm ?? this.getHashAlgorithm(algorithm), data)
    return curve.verify(
      signature.valueBlock.valueHexView,
      new Uint8Array(hash),
      key.subjectPublicKey.valueBlock.valueHexView,
      { prehash: false, format: "der", lowS: false }
    )
  }
}

/** What pkijs checks signatures with. */
// the cast: pkijs is declared for the DOM's SubtleCrypto; Node's declares more methods, which pkijs does not call
export const engine = new EngineWithBrainpool({ name: "", crypto }) as CryptoEngine & ICryptoEngine
