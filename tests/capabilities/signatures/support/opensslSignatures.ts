/** Signatures of every kind that OpenSSL makes, in minimal PDFs, each with OpenSSL's own verdict. */
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BitString, fromBER, OctetString } from "asn1js"
import * as pki from "pkijs"

/** Whether OpenSSL does so. */
const succeeds = async (folder: string, command: string) => {
  const parts = command.split(" ").filter((part) => part !== "")
  return (await Bun.spawn(["openssl", ...parts], { cwd: folder, stdout: "ignore", stderr: "ignore" }).exited) === 0
}

const openssl = async (folder: string, command: string) => {
  if (!(await succeeds(folder, command))) throw new Error(`failed: openssl ${command}`)
}

const KEYS: Readonly<Record<string, string>> = {
  rsa2048: "rsa:2048",
  rsa3072: "rsa:3072",
  rsa4096: "rsa:4096",
  p256: "ec -pkeyopt ec_paramgen_curve:P-256",
  p384: "ec -pkeyopt ec_paramgen_curve:P-384",
  p521: "ec -pkeyopt ec_paramgen_curve:P-521",
  bp256: "ec -pkeyopt ec_paramgen_curve:brainpoolP256r1",
  bp384: "ec -pkeyopt ec_paramgen_curve:brainpoolP384r1",
  bp512: "ec -pkeyopt ec_paramgen_curve:brainpoolP512r1"
}
const names = Object.keys(KEYS)
const digests = ["sha256", "sha384", "sha512", "sha1", "sha224"]
/** Options of signing. The salt of PSS is as long as the digest, or as long as it can be. */
const forms = ["", "-noattr", "-keyid", "-certfile chain.pem", "-certfile chain.pem -noattr", "-nosmimecap"]
const paddings = ["", "-keyopt rsa_padding_mode:pss", "-keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:digest"]

// an object identifier of 65 bytes, which no real one has
const LIKE_ELEMENT = `06:41:${Array(70).fill("81").join(":")}`
/** Extensions of certificates: strings of octets and of bits whose content looks like an element of DER. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  p521: `-addext subjectKeyIdentifier=${LIKE_ELEMENT}`,
  bp384: `-addext 1.2.3.4=DER:03:49:00:${LIKE_ELEMENT}`
}

/** Self-signed certificates, and one at the end of a chain of three, for each key; and a time stamp. */
const prepare = async (folder: string) => {
  const issue = (name: string, key: string, more: string) =>
    openssl(folder, `req -x509 -utf8 ${key} -days 30 -subj /C=DE/CN=${name} -out ${name}.pem ${more}`)
  const certificate = (name: string, kind: string, more = "") =>
    issue(name, `-newkey ${kind} -nodes -keyout ${name}.key`, more)
  await certificate("root", "rsa:2048")
  await certificate("middle", "rsa:2048", "-CA root.pem -CAkey root.key -addext basicConstraints=critical,CA:TRUE")
  for (const [name, kind] of Object.entries(KEYS)) {
    await certificate(name, kind, EXTENSIONS[name])
    await issue(`${name}-issued`, `-key ${name}.key`, "-CA middle.pem -CAkey middle.key")
  }
  await Bun.write(
    join(folder, "chain.pem"),
    `${await Bun.file(join(folder, "middle.pem")).text()}${await Bun.file(join(folder, "root.pem")).text()}`
  )
  await certificate("stamp", "rsa:2048", "-addext extendedKeyUsage=critical,timeStamping")
  await Bun.write(join(folder, "serial"), "01\n")
  const policy = "default_policy=1.2.3.4\ndigests=sha256\nsigner_digest=sha256\ness_cert_id_alg=sha256\n"
  await Bun.write(
    join(folder, "stamps.cnf"),
    `[tsa]\ndefault_tsa=one\n[one]\nserial=serial\nsigner_cert=stamp.pem\nsigner_key=stamp.key\ncerts=chain.pem\n${policy}`
  )
  await openssl(folder, "ts -query -data root.pem -sha256 -cert -out stamp.tsq")
  await openssl(folder, "ts -reply -config stamps.cnf -queryfile stamp.tsq -token_out -out stamp.token")
  return Bun.file(join(folder, "stamp.token")).bytes()
}

const STAMP = "1.2.840.113549.1.9.16.2.14"
/** Bytes that begin like an object identifier of 65 bytes, in strings: random values of signatures do so now and then. */
const LIKE_IDENTIFIER = Buffer.from(`0641${"ff".repeat(62)}`, "hex")
const strings = [
  new OctetString({ valueHex: Uint8Array.from(LIKE_IDENTIFIER).buffer }),
  new BitString({ valueHex: Uint8Array.from(LIKE_IDENTIFIER).buffer })
]

/** The message with an attribute beside its signature. */
const withAttribute = (message: Uint8Array, type: string, values: ReadonlyArray<unknown>) => {
  const signed = new pki.SignedData({
    schema: new pki.ContentInfo({ schema: fromBER(message, { parseEmbedded: false }).result }).content
  })
  for (const signer of signed.signerInfos)
    signer.unsignedAttrs = new pki.SignedAndUnsignedAttributes({
      type: 1,
      attributes: [new pki.Attribute({ type, values: [...values] })]
    })
  const content = signed.toSchema()
  const info = new pki.ContentInfo({ contentType: pki.ContentInfo.SIGNED_DATA, content })
  return new Uint8Array(info.toSchema().toBER())
}

/** Hexadecimal digits for the value of a signature. */
const ROOM = 24_000

/** The two parts of a PDF around the value of its signature. */
const parts = (text: string) => {
  const before = `%PDF-1.7\n% ${text}\n1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[3 0 R]>>>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
3 0 obj<</FT/Sig/T(Unterschrift)/V 4 0 R>>endobj
4 0 obj<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[`
  const headOf = (range: string) => `${before}${range.padEnd(40)}]/Contents `
  const [length, end] = [headOf("").length, headOf("").length + ROOM + 2]
  const after = `>>endobj\n%%EOF\n`
  return { head: headOf(`0 ${length} ${end} ${after.length}`), after }
}

const sequence = (...values: ReadonlyArray<Buffer>) => {
  const content = Buffer.concat(values)
  return Buffer.concat([Buffer.of(0x30, content.length), content])
}
const SHA256 = Buffer.from("0609608648016503040201", "hex")
const NULL = Buffer.of(5, 0)

/** What RSA signs (RFC 8017 §9.2), and forms of it that other software makes. */
const digestInfos = {
  standard: (digest: Buffer) => sequence(sequence(SHA256, NULL), Buffer.of(4, 32), digest),
  "without NULL": (digest: Buffer) => sequence(sequence(SHA256), Buffer.of(4, 32), digest),
  "without NULL, of another text": (digest: Buffer) =>
    sequence(sequence(SHA256), Buffer.of(4, 32), Buffer.from(digest).reverse()),
  "the digest alone": (digest: Buffer) => digest,
  "with a byte behind it": (digest: Buffer) =>
    Buffer.concat([sequence(sequence(SHA256, NULL), Buffer.of(4, 32), digest), Buffer.of(0)])
}
export type DigestForm = keyof typeof digestInfos

/** A PDF whose signature has this form of DigestInfo, with and without signed attributes, and OpenSSL's verdict. */
export const withDigestInfo = async (form: DigestForm, hasAttributes: boolean) => {
  const folder = await mkdtemp(join(tmpdir(), "signatures-"))
  const at = (name: string) => join(folder, name)
  try {
    await openssl(folder, "req -x509 -newkey rsa:2048 -nodes -keyout a.key -days 30 -subj /CN=a -out a.pem")
    const { head, after } = parts(form)
    await Bun.write(at("text"), head + after)
    const signing = "-in text -binary -outform DER -out der -md sha256 -signer a.pem -inkey a.key"
    await openssl(folder, `cms -sign ${signing} ${hasAttributes ? "" : "-noattr"}`)
    const signed = new pki.SignedData({
      schema: new pki.ContentInfo({ schema: fromBER(await Bun.file(at("der")).bytes()).result }).content
    })
    for (const signer of signed.signerInfos) {
      const covered = signer.signedAttrs === undefined ? head + after : new Uint8Array(signer.signedAttrs.encodedValue)
      await Bun.write(at("info"), digestInfos[form](createHash("sha256").update(covered).digest()))
      await openssl(folder, "pkeyutl -sign -inkey a.key -in info -out value")
      signer.signature = new OctetString({ valueHex: await Bun.file(at("value")).arrayBuffer() })
    }
    const content = signed.toSchema()
    const info = new pki.ContentInfo({ contentType: pki.ContentInfo.SIGNED_DATA, content })
    const message = Buffer.from(info.toSchema().toBER())
    await Bun.write(at("der"), message)
    const verify = "-inform DER -in der -content text -binary -noverify -out /dev/null"
    const hex = message.toString("hex").padEnd(ROOM, "0")
    return { pdf: Buffer.from(`${head}<${hex}>${after}`), isValid: await succeeds(folder, `cms -verify ${verify}`) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface Judged {
  readonly kind: string
  readonly pdf: Buffer
  readonly signer: string
  /** The exit code of `openssl cms -verify` is 0. */
  readonly isValid: boolean
}

/** Passes each of `count` signatures to `judge`. Of nine, one has a changed text, and one a changed last byte of its message. */
export const judgedByOpenSsl = async (count: number, judge: (one: Judged) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "signatures-"))
  const token = await prepare(folder)
  const at = (name: string) => join(folder, name)
  const one = async (index: number, worker: string) => {
    const name = names[index % names.length] ?? ""
    const form = forms[index % forms.length] ?? ""
    const digest = digests[index % digests.length] ?? ""
    const padding = name.startsWith("rsa") ? (paddings[Math.floor(index / 9) % paddings.length] ?? "") : ""
    const signer = form.includes("certfile") ? `${name}-issued` : name
    const { head, after } = parts(`${index} ${crypto.randomUUID()}`)
    await Bun.write(at(`${worker}.text`), head + after)
    const files = `-in ${worker}.text -binary -outform DER -out ${worker}.der`
    const key = `-signer ${signer}.pem -inkey ${name}.key`
    await openssl(folder, `cms -sign ${files} -md ${digest} ${key} ${form} ${padding}`)
    const plain = await Bun.file(at(`${worker}.der`)).bytes()
    const beside = ["", "stamped", "", "strings"][index % 4]
    const message =
      beside === "stamped"
        ? withAttribute(plain, STAMP, [fromBER(token).result])
        : beside === "strings"
          ? withAttribute(plain, "1.3.6.1.4.1.99999.1", strings)
          : plain
    const turn = (index + Math.floor(index / 9)) % 9
    const change = turn === 4 ? "text" : turn === 7 ? "value" : "none"
    if (change === "value") message[message.length - 1] = (message.at(-1) ?? 0) ^ 1
    const shown = change === "text" ? head.replace("Adobe.PPKLite", "Adobe.PPKMore") : head
    await Bun.write(at(`${worker}.text`), shown + after)
    await Bun.write(at(`${worker}.der`), message)
    const verify = `-inform DER -in ${worker}.der -content ${worker}.text -binary -noverify -out /dev/null`
    const isValid = await succeeds(folder, `cms -verify ${verify}`)
    const hex = Buffer.from(message).toString("hex").padEnd(ROOM, "0")
    const kind = [name, digest, form, padding, beside, change].join(" ")
    await judge({ kind, pdf: Buffer.from(`${shown}<${hex}>${after}`), signer, isValid })
  }
  let next = 0
  const work = async (worker: string) => {
    while (next < count) await one(next++, worker)
  }
  try {
    await Promise.all([work("a"), work("b")])
  } finally {
    await rm(folder, { recursive: true })
  }
}
