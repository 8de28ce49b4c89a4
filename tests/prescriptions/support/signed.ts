/** Signed PDFs: the rendered prescription, signed with generated certificates. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { plainAddPlaceholder } from "@signpdf/placeholder-plain"
import { P12Signer } from "@signpdf/signer-p12"
import signpdf from "@signpdf/signpdf"
import { Signer } from "@signpdf/utils"
import { Integer, ObjectIdentifier, OctetString, PrintableString, Utf8String } from "asn1js"
import { Effect } from "effect"
import * as pki from "pkijs"
import { PrescriptionRenderer } from "../../../src/services/prescriptions/PrescriptionRenderer.ts"
import { sheet } from "./sheets.ts"

const openssl = (...options: ReadonlyArray<string>) => {
  const { exitCode, stderr } = Bun.spawnSync(["openssl", ...options])
  if (exitCode !== 0) throw new Error(stderr.toString())
}

const within = async <A>(work: (at: (name: string) => string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "openssl-"))
  try {
    return await work((name) => join(folder, name))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A self-signed RSA certificate with its key, as PKCS#12 in the older encryption that the signing package reads. */
export const certificate = (commonName: string): Promise<Buffer> =>
  within(async (at) => {
    const key = ["-newkey", "rsa:2048", "-nodes", "-keyout", at("key")]
    openssl("req", "-x509", "-utf8", ...key, "-days", "30", "-subj", `/CN=${commonName}/C=DE`, "-out", at("cert"))
    const older = ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1", "-passout", "pass:"]
    openssl("pkcs12", "-export", "-in", at("cert"), "-inkey", at("key"), ...older, "-out", at("p12"))
    return Buffer.from(await Bun.file(at("p12")).arrayBuffer())
  })

let sheetOnce: Promise<Uint8Array> | undefined
export const rendered = () => {
  sheetOnce ??= Effect.runPromise(
    Effect.flatMap(PrescriptionRenderer, (r) => r.render(sheet)).pipe(Effect.provide(PrescriptionRenderer.Default))
  )
  return sheetOnce
}

/** The file with a placeholder for a signature. */
export const prepared = (pdf: Uint8Array) =>
  plainAddPlaceholder({
    pdfBuffer: Buffer.from(pdf),
    reason: "Verordnung",
    contactInfo: "",
    name: "",
    location: "Berlin",
    signingTime: new Date("2026-11-21T10:00:00Z")
  })

export const signedBy = (pdf: Uint8Array, p12: Buffer): Promise<Buffer> =>
  signpdf.sign(prepared(pdf), new P12Signer(p12), new Date("2026-11-21T10:00:00Z"))

/** Signs as smart cards do: with an elliptic curve, SHA-256 and signed attributes. */
export class EllipticSigner extends Signer {
  constructor(readonly commonName: string) {
    super()
  }
  override async sign(pdf: Buffer): Promise<Buffer> {
    const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
    const certificate = new pki.Certificate({ version: 2, serialNumber: new Integer({ value: 7 }) })
    for (const name of [certificate.subject, certificate.issuer])
      name.typesAndValues.push(
        new pki.AttributeTypeAndValue({ type: "2.5.4.6", value: new PrintableString({ value: "DE" }) }),
        new pki.AttributeTypeAndValue({ type: "2.5.4.3", value: new Utf8String({ value: this.commonName }) })
      )
    certificate.notBefore.value = new Date("2025-01-01")
    certificate.notAfter.value = new Date("2035-01-01")
    await certificate.subjectPublicKeyInfo.importKey(keys.publicKey)
    await certificate.sign(keys.privateKey, "SHA-256")
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(pdf))
    const attribute = (type: string, value: unknown) => new pki.Attribute({ type, values: [value] })
    const signed = new pki.SignedData({
      encapContentInfo: new pki.EncapsulatedContentInfo({ eContentType: pki.ContentInfo.DATA }),
      certificates: [certificate],
      signerInfos: [
        new pki.SignerInfo({
          sid: new pki.IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
          signedAttrs: new pki.SignedAndUnsignedAttributes({
            type: 0,
            attributes: [
              attribute("1.2.840.113549.1.9.3", new ObjectIdentifier({ value: pki.ContentInfo.DATA })),
              attribute("1.2.840.113549.1.9.4", new OctetString({ valueHex: digest }))
            ]
          })
        })
      ]
    })
    await signed.sign(keys.privateKey, 0, "SHA-256", new Uint8Array(pdf).buffer)
    const message = new pki.ContentInfo({ contentType: pki.ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
    return Buffer.from(message.toSchema().toBER())
  }
}

/** The same message with lengths that are not announced, as some software writes its outer elements. */
export class OpenLengthSigner extends EllipticSigner {
  override async sign(pdf: Buffer): Promise<Buffer> {
    const message = await super.sign(pdf)
    // three headers of four bytes, and the type behind the first
    const [type, fields] = [message.subarray(4, 15), message.subarray(23)]
    const [sequence, explicit] = [Buffer.from("3080", "hex"), Buffer.from("a080", "hex")]
    return Buffer.concat([sequence, type, explicit, sequence, fields, Buffer.alloc(6)])
  }
}

export const signedElliptically = (pdf: Uint8Array, commonName: string): Promise<Buffer> =>
  signpdf.sign(prepared(pdf), new EllipticSigner(commonName))
