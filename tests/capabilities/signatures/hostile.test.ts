/** Hostile PDFs are refused or answered with bounded work, and do not block the rest of the service. */
import { describe, expect, test } from "bun:test"
import { constants, deflateRawSync, deflateSync } from "node:zlib"
import signpdf from "@signpdf/signpdf"
import { fromBER } from "asn1js"
import { Effect, Fiber } from "effect"
import { ContentInfo, SignedData } from "pkijs"
import { SignatureExaminer } from "../../../src/capabilities/signatures/services/SignatureExaminer.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { makeShop } from "../../checkout/support/shop.ts"
import { EllipticSigner, prepared, rendered } from "../../prescriptions/support/signed.ts"
import { isLong, sized } from "../../support/scale.ts"
import { testServer } from "../../support/server.ts"
import { testExaminer } from "./support/examiner.ts"

const server = testServer()
const { run, judged, refusal } = testExaminer()

const HEAD = "%PDF-1.7\n"
const MIB = 1024 * 1024
const filled = (text: string) => Buffer.concat([Buffer.from(HEAD), Buffer.alloc(sized(2, 9) * MIB, text)])
const numbered = (count: number) =>
  Buffer.from(HEAD + Array.from({ length: count }, (_, i) => `${i + 1} 0 obj<</A 1>>endobj\n`).join(""))

/** Compressed streams with this many bytes when decompressed, which are no streams of objects. */
const streams = (count: number, bytes: number, fill = "x") => {
  const data = deflateSync(Buffer.alloc(bytes, fill))
  const stream = Buffer.concat([Buffer.from("stream\n"), data, Buffer.from("\nendstream endobj\n")])
  const parts = Array.from({ length: count }, (_, i) => [
    Buffer.from(`${i + 1} 0 obj<</Filter/FlateDecode/Length ${data.length}>>`),
    stream
  ])
  return Buffer.concat([Buffer.from(HEAD), ...parts.flat()])
}

/** A stream of objects. */
const objects = (data: Uint8Array, filter = "/FlateDecode") =>
  Buffer.concat([
    Buffer.from(`${HEAD}1 0 obj<</Type/ObjStm/N 100000000/First 4/Filter${filter}/Length ${data.length}>>stream\n`),
    data,
    Buffer.from("\nendstream endobj\n")
  ])
/** Numbers behind a text, compressed; their end is never read. */
const numbers = (mebibytes: number, text = "") => {
  const compressed = (data: Buffer) => deflateRawSync(data, { finishFlush: constants.Z_FULL_FLUSH })
  const piece = compressed(Buffer.alloc(10 * MIB, "1 "))
  return Buffer.concat([
    Uint8Array.of(0x78, 0x9c),
    compressed(Buffer.from(text)),
    ...Array<Buffer>(mebibytes / 10).fill(piece)
  ])
}
const long = numbers(500)

/** Signature dictionaries, each with the same value, and the range that it gets. */
const ranges = (count: number, size: number, value: string, range: (value: number, index: number) => string) => {
  const head = `${HEAD}1 0 obj<</Contents `
  const text = (index: number) =>
    `${index + 2} 0 obj<</ByteRange[${range(head.length, index)}]/Contents ${value}>>endobj\n`
  const body = `${head}${value}>>endobj\n${Array.from({ length: count }, (_, index) => text(index)).join("")}`
  return Buffer.concat([Buffer.from(body), Buffer.alloc(Math.max(0, size - body.length), " ")])
}

describe("a PDF", () => {
  test("of keywords, of objects without end, and of what is none is answered or refused", async () => {
    for (const [name, file, outcome] of [
      ["no object", filled("%PDF-1.7 stream "), "taken"],
      ["streams outside of objects", filled("stream\nx\x9c\xff\n"), "taken"],
      ["keywords", filled("obj"), "structure"],
      ["dictionaries", filled("obj<<>>stream "), "structure"],
      ["the same object", filled("1 0 obj<</A 1>>endobj\n"), "taken"],
      ["open strings", filled("1 0 obj<<("), "structure"],
      ["nested dictionaries", Buffer.concat([Buffer.from(`${HEAD}1 0 obj`), filled("<</A ")]), "structure"],
      ["nested arrays", Buffer.concat([Buffer.from(`${HEAD}1 0 obj`), filled("[")]), "structure"],
      ["20,000 streams", streams(20_000, 10), "taken"],
      ["escapes, 30 MB each", streams(sized(1, 4), 30 * MIB, "#"), "taken"],
      ["slashes, 30 MB each", streams(sized(4, 20), 30 * MIB, "/"), "taken"]
    ] as const)
      expect([name, await refusal(file)]).toEqual([name, outcome])
  })

  // Shows: PDFs and large bodies made to exhaust processor or memory
  // Shows: PDFs that take minutes, all memory, or the whole queue
  test("that takes too long, or too much memory, cannot be examined, and the next one is examined", async () => {
    for (const [name, file] of [
      ["a long stream of objects", objects(long)],
      ["an object of 100 MB", objects(numbers(100, "2 0 ["))],
      ...(isLong
        ? ([
            ["one that is compressed twice", objects(deflateSync(long), "[/FlateDecode/FlateDecode]")],
            ["500,000 objects", numbered(500_000)]
          ] as const)
        : [])
    ] as const) {
      expect([name, await refusal(file)]).toEqual([name, expect.stringMatching(/^(time|memory|structure)$/)])
      expect(await refusal(Buffer.from(HEAD))).toBe("taken")
    }
  })

  // Shows: PDFs that take minutes, all memory, or the whole queue
  test("with 3,000 signatures of one range costs no more than with one, and one with different ranges is not intact", async () => {
    const value = `<${"0".repeat(64)}>`
    const same = ranges(3_000, 9_000_000, value, (at) => `0 ${at} ${at + value.length} 10`)
    expect(await judged(same)).toMatchObject({ present: true, intact: false })
    const different = ranges(3_000, 0, value, (at, index) => `0 ${at} ${at + value.length} ${index}`)
    expect(await judged(different)).toMatchObject({ present: true, intact: false })
  })

  // Shows: PDFs that take minutes, all memory, or the whole queue
  test("with a signature value of more than 1 MiB, or of more than 10,000 elements, cannot be examined", async () => {
    const of = (tag: number, content: Uint8Array) =>
      Buffer.concat([Uint8Array.of(tag, 0x83, content.length >> 16, content.length >> 8, content.length), content])
    const [sequence, nothing] = [0x30, Uint8Array.of(5, 0)]
    const signed = (message: Uint8Array) => {
      const value = `<${Buffer.from(message).toString("hex")}>`
      return ranges(1, 0, value, (at) => `0 ${at} ${at + value.length} 10`)
    }
    expect(await refusal(signed(of(sequence, Buffer.alloc(MIB))))).toBe("signature_size")
    expect(await refusal(signed(of(sequence, Buffer.alloc(2 * 10_000, nothing))))).toBe("signature_elements")
    expect(await refusal(signed(Buffer.alloc(400, Uint8Array.of(sequence, 0x80))))).toBe("signature_elements")
    expect(await refusal(signed(of(sequence, Buffer.alloc(2 * 9_000, nothing))))).toBe("signature_form")
    // an object identifier of a million numbers takes asn1js twenty seconds
    if (isLong)
      expect(await refusal(signed(of(6, new Uint8Array(MIB - 100).fill(1))))).toMatch(/^(time|signature_form)$/)
  })
})

// Shows: PDFs and large bodies made to exhaust processor or memory
test("/healthz still answers while hostile PDFs are examined; Rule 9.5.1", async () => {
  const shop = await makeShop(server.current)
  await shop.prescribe() // the examiner has started
  const pdfs = [streams(19_000, 10), filled("obj"), objects(long)]
  const sent = pdfs.map((pdf, i) =>
    shop.prescribe({ id: `rx-${i}`, prescriptions: [{ id: `rx-${i}`, pdf_base64: pdf.toString("base64") }] })
  )
  let answered = 0
  let busy = true
  void Promise.all(sent).finally(() => {
    busy = false
  })
  while (busy) {
    expect((await fetch(`${server.current.url}/healthz`)).status).toBe(200)
    answered++
    await Bun.sleep(10)
  }
  const answers = await Promise.all(sent)
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
  const fault = "prescriptions[0].pdf_base64: cannot be examined: not_examinable"
  expect(answers.slice(1).map(({ body }) => body.error)).toEqual([
    [`${fault} (structure): its objects cannot be read`],
    [`${fault} (time): its examination takes too long`]
  ])
  // if the process examined them itself, it could not respond in between
  expect(answered).toBeGreaterThan(pdfs.length)
})

// Shows: PDFs and large bodies made to exhaust processor or memory
// Shows: PDFs that take minutes, all memory, or the whole queue
test("organisations take turns in the examination of PDFs, however many one of them sends", async () => {
  const examined: Array<string> = []
  const program = Effect.gen(function* () {
    const examiner = yield* SignatureExaminer
    const send = (owner: string) =>
      examiner.examine(Buffer.from("%PDF-1.7\n")).pipe(
        Effect.tap(() => Effect.sync(() => examined.push(owner))),
        onlyOwner(owner),
        Effect.fork,
        Effect.tap(() => Effect.yieldNow())
      )
    const sent = yield* Effect.forEach(["one", "one", "one", "other"], send)
    yield* Effect.forEach(sent, Fiber.join)
  })
  await run(program)
  expect(examined).toEqual(["one", "other", "one", "one"])
})

/** The signer's message after a change to it. */
class ChangedSigner extends EllipticSigner {
  constructor(readonly change: (signed: SignedData) => void) {
    super("Dr. A")
  }
  override async sign(pdf: Buffer): Promise<Buffer> {
    const signed = new SignedData({
      schema: new ContentInfo({ schema: fromBER(await super.sign(pdf)).result }).content
    })
    this.change(signed)
    const message = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
    return Buffer.from(message.toSchema().toBER())
  }
}

test("what is not understood of a signature is refused by name, and never judged broken; Rule 9.5.3", async () => {
  const sheet = prepared(await rendered())
  const signedWith = async (change: (signed: SignedData) => void) => signpdf.sign(sheet, new ChangedSigner(change))
  const first = ({ signerInfos: [signer] }: SignedData) => {
    if (signer === undefined) throw new Error("no signer")
    return signer
  }
  expect(await judged(await signedWith(() => undefined))).toMatchObject({ intact: true })
  for (const [limit, change] of [
    ["signature_certificate", (signed) => delete signed.certificates],
    [
      "signature_algorithm",
      (signed) => Object.assign(first(signed).digestAlgorithm, { algorithmId: "1.2.840.113549.2.5" })
    ],
    ["signature_algorithm", (signed) => Object.assign(first(signed).signatureAlgorithm, { algorithmId: "1.3.101.112" })]
  ] satisfies ReadonlyArray<[string, (signed: SignedData) => unknown]>)
    expect([limit, await refusal(await signedWith(change))]).toEqual([limit, limit])
})
