/** Hostile PDFs are refused with bounded work, and do not block the rest of the service. */
import { describe, expect, test } from "bun:test"
import { deflateSync } from "node:zlib"
import signpdf from "@signpdf/signpdf"
import { fromBER, Integer } from "asn1js"
import { Effect, Either, Fiber } from "effect"
import { Certificate, ContentInfo, SignedData } from "pkijs"
import { type Allowance, newAllowance } from "../../src/services/prescriptions/pdf/allowance.ts"
import { countElements } from "../../src/services/prescriptions/pdf/der.ts"
import { examine as examineHere } from "../../src/services/prescriptions/pdf/examine.ts"
import { SignatureExaminer, signatureExaminer } from "../../src/services/prescriptions/SignatureExaminer.ts"
import { ofOwner } from "../../src/services/tenancy/Tenancy.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { isLong } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { EllipticSigner, prepared, rendered } from "./support/signed.ts"

const server = testServer()
/** These tests are about counts, not speed: the limits allow for a busy machine. */
const UNHURRIED = { milliseconds: 60_000 }
const examine = (pdf: Uint8Array, options = UNHURRIED) =>
  Effect.runPromise(
    Effect.flatMap(SignatureExaminer, (e) => Effect.either(e.examine(pdf))).pipe(
      Effect.provide(signatureExaminer(options))
    )
  )
const refusal = async (pdf: Uint8Array, options = UNHURRIED) =>
  Either.match(await examine(pdf, options), { onLeft: ({ message }) => message, onRight: () => "taken" })

/** Signature dictionaries that all name the same byte range. */
const sameRanges = (count: number, size: number, hole = `<${"0".repeat(64)}>`) => {
  const head = "%PDF-1.7\n/Contents "
  const text = (resume: number, rest: number) => ` /ByteRange [0 ${head.length} ${resume} ${rest}]`
  const resume = head.length + hole.length
  const body = Buffer.from(text(resume, size - resume).repeat(count))
  return Buffer.concat([Buffer.from(head + hole), body, Buffer.alloc(Math.max(0, size - resume - body.length), " ")])
}

/** Signatures with distinct byte ranges. */
const manyRanges = (count: number) =>
  Buffer.from(`%PDF-1.7\n${Array.from({ length: count }, (_, i) => `/ByteRange [0 ${i + 1} ${i + 9} 1]`).join("\n")}`)

/** Compressed streams with this many bytes when decompressed. */
const streams = (count: number, bytes: number) => {
  const stream = Buffer.concat([Buffer.from("stream\n"), deflateSync(Buffer.alloc(bytes, "x")), Buffer.from("\n")])
  return Buffer.concat([Buffer.from("%PDF-1.7\n"), ...Array.from({ length: count }, () => stream)])
}

const repeatedText = (text: string, count: number) => Buffer.from(`%PDF-1.7\n${text.repeat(count)}`)

const dictionaries = (count: number) => Buffer.from(`%PDF-1.7\n${"1 0 obj<</A 1>>endobj\n".repeat(count)}`)

/** Byte sequences that look like the start of a compressed stream. */
const falseStreams = (count: number) => Buffer.from(`%PDF-1.7\n${"stream\nx\x9c\xff\n".repeat(count)}`, "latin1")

describe("a PDF", () => {
  test("with 3,000 ranges of one gap costs no more than with one", async () => {
    // hashing each range would take minutes, longer than the worker's timeout
    expect(await refusal(sameRanges(3_000, 9_000_000))).toBe("taken")
  })

  test("with more than 16 signatures, or 20,000 streams, cannot be examined", async () => {
    expect(await refusal(manyRanges(16))).toBe("taken")
    expect(await refusal(manyRanges(17))).toBe("cannot be examined")
    expect(await refusal(streams(20_000, 10))).toBe("taken")
    expect(await refusal(streams(20_001, 10))).toBe("cannot be examined")
  })

  test("with more than 1,000 invalid streams cannot be examined", async () => {
    expect(await refusal(falseStreams(1_000))).toBe("taken")
    for (const count of [1_001, 100_000]) expect(await refusal(falseStreams(count))).toBe("cannot be examined")
  })

  if (isLong)
    test("with a million keywords of its structure cannot be examined", async () => {
      for (const keyword of ["obj", "stream\n"]) {
        expect([keyword, await refusal(repeatedText(keyword, 900_000))]).toEqual([keyword, "taken"])
        expect([keyword, await refusal(repeatedText(keyword, 1_000_001))]).toEqual([keyword, "cannot be examined"])
      }
      expect(await refusal(repeatedText("/ByteRange[0 1 2 3]", 200_000))).toBe("taken")
      expect(await refusal(repeatedText("/ByteRange[0 1 2 3]", 250_001))).toBe("cannot be examined")
    })

  test("with nested streams cannot be examined", async () => {
    // each is the rest of the file: empty blocks, then one that carries the next marker over
    const marker = Buffer.from("stream\nx\x9c", "latin1")
    const carried = Buffer.from([0, marker.length, 0, ~marker.length & 255, 255])
    const block = Buffer.concat([Buffer.from("000000ffff".repeat(80), "hex"), carried, marker])
    const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), marker, ...Array.from({ length: 10_000 }, () => block)])
    expect(await refusal(file)).toBe("cannot be examined")
  })

  test("with a signature value of several MiB cannot be examined", async () => {
    const ofNulls = (length: number) => {
      const message = Buffer.alloc(length + 5, Buffer.from([5, 0]))
      message.write("3083", "hex")
      message.writeUIntBE(length, 2, 3)
      return `<${message.toString("hex")}>`
    }
    expect(await refusal(sameRanges(1, 1_000_000, ofNulls(200_000)))).toBe("taken")
    expect(await refusal(sameRanges(1, 9_000_000, ofNulls(3_000_000)))).toBe("cannot be examined")
  })

  test("that exceeds its time limit cannot be examined, and the next one is still examined", async () => {
    const slowest = streams(4, 30_000_000)
    expect(await refusal(slowest)).toBe("taken")
    await Effect.runPromise(
      Effect.gen(function* () {
        const examiner = yield* SignatureExaminer
        const slow = yield* Effect.either(examiner.examine(slowest))
        expect(Either.isLeft(slow) && slow.left.message).toBe("cannot be examined")
        // on a busy machine even a small one may take longer than 30 ms
        const small = Effect.retry(examiner.examine(Buffer.from("%PDF-1.7")), { times: 100 })
        const quick = yield* Effect.either(small)
        expect(Either.isRight(quick)).toBe(true)
      }).pipe(Effect.provide(signatureExaminer({ milliseconds: 30 })))
    )
  })
})

if (isLong)
  test("the files of one request share the limit of a single file", async () => {
    const shop = await makeShop(server.current)
    const examinePdf = (pdf: Buffer) => {
      const ids = [crypto.randomUUID(), crypto.randomUUID()]
      return shop.prescribe({
        prescriptions: ids.map((id) => ({ id, pdf_base64: pdf.toString("base64") })),
        lines: ids.map((id) => ({ sku_uid: shop.skus.drops.uid, quantity: 1, prescription_id: id }))
      })
    }
    const half = { streams: streams(10_001, 10), unpacked: streams(3, 30_000_000), dictionaries: dictionaries(130_000) }
    for (const [what, pdf] of Object.entries(half)) {
      expect([what, await refusal(pdf)]).toEqual([what, "taken"])
      const { status, body } = await examinePdf(pdf)
      expect([what, status, body.error]).toEqual([
        what,
        400,
        [expect.stringMatching(/^prescriptions\[1\].pdf_base64: (cannot be|unpacks to)/)]
      ])
    }
  })

test("the limits share one budget: what is below each of them can together be too much; Rule 9.5.4", async () => {
  const [streamed, listed, scanned] = [streams(18_000, 10), dictionaries(180_000), streams(3, 30_000_000)]
  const dangers = async (pdfs: ReadonlyArray<Buffer>) => {
    const left = newAllowance()
    const found = []
    for (const pdf of pdfs) found.push((await examineHere(pdf, left)).danger)
    return found
  }
  for (const pdf of [streamed, listed, scanned]) expect(await dangers([pdf])).toEqual([undefined])
  expect(await dangers([streamed, listed])).toEqual([undefined, "not_examinable"])
  expect(await dangers([listed, streamed])).toEqual([undefined, "not_examinable"])
  expect(await dangers([listed, scanned])).toEqual([undefined, "too_large_unpacked"])
})

test("/healthz still answers while hostile PDFs are examined", async () => {
  const shop = await makeShop(server.current)
  await shop.prescribe() // the examiner has started
  const pdfs = [sameRanges(3_000, 9_000_000), falseStreams(100_000), streams(19_000, 10), streams(4, 30_000_000)]
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
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 400, 200, 200])
  // if the process examined them itself, it could not respond in between
  expect(answered).toBeGreaterThan(pdfs.length)
})

test("organisations take turns in the examination of PDFs, however many one of them sends", async () => {
  const examined: Array<string> = []
  const program = Effect.gen(function* () {
    const examiner = yield* SignatureExaminer
    const send = (owner: string) =>
      examiner.examine(Buffer.from("%PDF-1.7\n")).pipe(
        Effect.tap(() => Effect.sync(() => examined.push(owner))),
        ofOwner(owner),
        Effect.fork,
        Effect.tap(() => Effect.yieldNow())
      )
    const sent = yield* Effect.forEach(["one", "one", "one", "other"], send)
    yield* Effect.forEach(sent, Fiber.join)
  })
  await Effect.runPromise(Effect.provide(program, signatureExaminer(UNHURRIED)))
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

const repeated = <A>(times: number, all: ReadonlyArray<A>) => Array.from({ length: times }, () => all).flat()
const sheet = rendered().then(prepared)
const signedWith = async (change: (signed: SignedData) => void) => signpdf.sign(await sheet, new ChangedSigner(change))
const withSigners = (times: number) =>
  signedWith((signed) => {
    signed.signerInfos = repeated(times, signed.signerInfos)
  })
/** What the examination of a file took of its request's allowance. */
const used = async (what: keyof Allowance, pdf: Uint8Array) => {
  const left = newAllowance()
  expect((await examineHere(pdf, left)).danger).toBeUndefined()
  return newAllowance()[what] - left[what]
}

test("the PDFs of one request share limits of signers, of their messages, and of hashed and parsed bytes", async () => {
  const pdf = await withSigners(1)
  for (const what of ["signers", "values", "elements", "hashed", "parsed"] as const) {
    const one = await used(what, pdf)
    expect([what, one > 0]).toEqual([what, true])
    const left = { ...newAllowance(), [what]: 2 * one - 1 }
    expect((await examineHere(pdf, left)).danger).toBeUndefined()
    expect([what, (await examineHere(pdf, left)).danger]).toEqual([what, "not_examinable"])
  }
})

test("the values of one request's signatures have a maximum length, padding and white space included", async () => {
  const hole = (characters: number) => `<3003020100${"0 ".repeat(characters / 2)}>`
  const twice = (characters: number) => {
    const [one, other] = [hole(characters), "%PDF-1.7\n/Contents "]
    const [start, resume] = [other.length, other.length + one.length]
    return Buffer.from(`${other}${one}/ByteRange [0 ${start} ${resume} 0] /ByteRange [0 ${start} ${resume} 1]`)
  }
  const { values } = newAllowance()
  expect(await used("values", twice(1_000))).toBe(2 * hole(1_000).length)
  expect(await refusal(twice(values / 2 - 100))).toBe("taken")
  expect(await refusal(twice(values / 2))).toBe("cannot be examined")
})

test("signers of one signature share a hash of the covered bytes, and those without signed attributes count each", async () => {
  const one = await used("hashed", await withSigners(1))
  expect(await used("hashed", await withSigners(4))).toBe(one)
  expect((await examineHere(await withSigners(5), newAllowance())).danger).toBe("not_examinable")
  const bare = (times: number) =>
    signedWith((signed) => {
      for (const signer of signed.signerInfos) delete signer.signedAttrs
      signed.signerInfos = repeated(times, signed.signerInfos)
    })
  const oneBare = await used("hashed", await bare(1))
  expect(await used("hashed", await bare(2))).toBe(2 * oneBare)
})

test("twenty prescriptions with two signers each are within the budget", async () => {
  expect(20 * (await used("time", await withSigners(2)))).toBeLessThan(newAllowance().time)
})

test("of a message only signers and their certificates are parsed", async () => {
  const withCertificates = (serials: ReadonlyArray<number>) =>
    signedWith((signed) => {
      const [own] = signed.certificates ?? []
      if (!(own instanceof Certificate)) throw new Error("no certificate")
      const others = serials.map((value) => {
        const other = Certificate.fromBER(own.toSchema(true).toBER())
        other.serialNumber = new Integer({ value })
        other.tbsView = new Uint8Array(other.encodeTBS().toBER())
        return other
      })
      signed.certificates = [...others, own]
    })
  const one = await used("elements", await withCertificates([]))
  // real certificates have more extensions
  expect(2 * one * newAllowance().signers).toBeLessThan(newAllowance().elements)
  // a few elements are found in random bytes
  expect(await used("elements", await withCertificates([8, 9]))).toBeLessThan(one + 20)
  expect(await used("elements", await withCertificates([7, 7]))).toBeGreaterThan(one + 50)
})

test("signatures' values with too many or too long elements are not parsed", () => {
  const element = (tag: number, content: Uint8Array) =>
    Buffer.concat([Uint8Array.of(tag, 0x83, content.length >> 16, content.length >> 8, content.length), content])
  const nulls = (count: number) => Buffer.alloc(2 * count, Uint8Array.of(5, 0))
  const [sequence, bits, octets, identifier] = [0x30, 3, 4, 6]
  expect(countElements(element(sequence, nulls(9_999)))).toBe(10_000)
  expect(countElements(element(octets, element(sequence, nulls(7))))).toBe(9)
  const ofBits = (content: Uint8Array) => element(bits, Buffer.concat([Uint8Array.of(0), content]))
  expect(countElements(ofBits(element(sequence, nulls(99))))).toBe(101)
  expect(countElements(element(identifier, new Uint8Array(64)))).toBe(1)
  for (const refused of [
    element(sequence, nulls(10_000)),
    element(octets, element(sequence, nulls(10_000))),
    ofBits(element(sequence, nulls(100))),
    element(identifier, new Uint8Array(65)),
    Buffer.alloc(400, Uint8Array.of(sequence, 0x80)),
    element(sequence, nulls(9)).subarray(0, -1)
  ])
    expect(countElements(refused)).toBeUndefined()
})

test("names that only begin like a searched one have a maximum", async () => {
  const names = (count: number) => Buffer.from(`%PDF-1.7\n${"/JSmith ".repeat(count)}`)
  expect(await used("falseNames", names(1_000))).toBeGreaterThanOrEqual(1_000)
  const left = { ...newAllowance(), falseNames: 1_500 } // some are searched twice, where pieces meet
  expect((await examineHere(names(1_000), left)).danger).toBeUndefined()
  expect((await examineHere(names(1_000), left)).danger).toBe("not_examinable")
})
