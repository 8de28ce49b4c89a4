/** PDFs that are made to cost time and memory are refused soon, and nothing else of the service waits for them. */
import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { SignatureExaminer, signatureExaminer } from "../../src/services/prescriptions/SignatureExaminer.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { testServer } from "../support/server.ts"

const server = testServer()
const examine = (pdf: Uint8Array, options = {}) =>
  Effect.runPromise(
    Effect.flatMap(SignatureExaminer, (e) => Effect.either(e.examine(pdf))).pipe(
      Effect.provide(signatureExaminer(options))
    )
  )
const refusal = async (pdf: Uint8Array, options = {}) =>
  Either.match(await examine(pdf, options), { onLeft: ({ message }) => message, onRight: () => "taken" })

/** Signature dictionaries that all name one hole of the file. */
const sameRanges = (count: number, size: number, hole = `<${"0".repeat(64)}>`) => {
  const head = "%PDF-1.7\n/Contents "
  const text = (resume: number, rest: number) => ` /ByteRange [0 ${head.length} ${resume} ${rest}]`
  const resume = head.length + hole.length
  const body = Buffer.from(text(resume, size - resume).repeat(count))
  return Buffer.concat([Buffer.from(head + hole), body, Buffer.alloc(Math.max(0, size - resume - body.length), " ")])
}

/** Distinct ranges, each another signature. */
const manyRanges = (count: number) =>
  Buffer.from(`%PDF-1.7\n${Array.from({ length: count }, (_, i) => `/ByteRange [0 ${i + 1} ${i + 9} 1]`).join("\n")}`)

/** Places that look like the start of a compressed stream and are none. */
const falseStreams = (count: number) => Buffer.from(`%PDF-1.7\n${"stream\nx\x9c\n".repeat(count)}`, "latin1")

describe("a PDF", () => {
  test("with 3,000 ranges of one hole costs no more than with one", async () => {
    // hashed once for each range it would take minutes, which the worker does not have
    expect(await refusal(sameRanges(3_000, 9_000_000))).toBe("taken")
  })

  test("with more than 16 signatures, or 20,000 streams, cannot be examined", async () => {
    expect(await refusal(manyRanges(16))).toBe("taken")
    expect(await refusal(manyRanges(17))).toBe("cannot be examined")
    expect(await refusal(falseStreams(100_000))).toBe("cannot be examined")
  })

  test("with a signature's value of mebibytes cannot be examined", async () => {
    const ofNulls = (length: number) => {
      const message = Buffer.alloc(length + 5, Buffer.from([5, 0]))
      message.write("3083", "hex")
      message.writeUIntBE(length, 2, 3)
      return `<${message.toString("hex")}>`
    }
    expect(await refusal(sameRanges(1, 1_000_000, ofNulls(200_000)))).toBe("taken")
    expect(await refusal(sameRanges(1, 9_000_000, ofNulls(3_000_000)))).toBe("cannot be examined")
  })

  test("that takes longer than its time cannot be examined, and the next one is examined all the same", async () => {
    await Effect.runPromise(
      Effect.gen(function* () {
        const examiner = yield* SignatureExaminer
        const slow = yield* Effect.either(examiner.examine(falseStreams(19_000)))
        expect(Either.isLeft(slow) && slow.left.message).toBe("cannot be examined")
        // on a busy machine a small one, too, may take longer than 60 ms
        const small = Effect.retry(examiner.examine(Buffer.from("%PDF-1.7")), { times: 100 })
        const quick = yield* Effect.either(small)
        expect(Either.isRight(quick)).toBe(true)
      }).pipe(Effect.provide(signatureExaminer({ milliseconds: 60 })))
    )
  })
})

test("while hostile PDFs are examined, /healthz goes on answering", async () => {
  const shop = await makeShop(server.current)
  await shop.prescribe() // the examiner has started
  const pdfs = [sameRanges(3_000, 9_000_000), falseStreams(100_000), falseStreams(19_000), falseStreams(19_900)]
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
  // examined by the process itself they would leave it no time for a single answer between them
  expect(answered).toBeGreaterThan(pdfs.length)
})
