/** Signatures are judged as OpenSSL judges them: 27, and 10,000 in the long form. */
import { expect, test } from "bun:test"
import { isLong } from "../../support/scale.ts"
import { testExaminer } from "./support/examiner.ts"
import { type DigestForm, judgedByOpenSsl, withDigestInfo } from "./support/opensslSignatures.ts"

const { judged, refusal } = testExaminer()
const COUNT = isLong ? 10_000 : 27

test(
  "RSA, PSS, NIST's curves and Brainpool's, with and without attributes, with chains, time stamps and strings that begin like identifiers; Rule 9.5.2",
  async () => {
    const differences: Array<string> = []
    const verdicts = { valid: 0, invalid: 0 }
    await judgedByOpenSsl(COUNT, async ({ kind, pdf, signer, isValid }) => {
      const wanted = { present: true, intact: isValid, covers_whole_file: true, signer, trust: "unchecked" }
      verdicts[isValid ? "valid" : "invalid"]++
      if (!Bun.deepEquals(await judged(pdf), wanted)) differences.push(kind)
      const done = verdicts.valid + verdicts.invalid
      if (done % 500 === 0) console.info("signatures", done, verdicts, "differences", differences)
    })
    expect(differences).toEqual([])
    expect(verdicts.valid + verdicts.invalid).toBe(COUNT)
    // a changed byte of a time stamp is no fault of the signature
    expect(verdicts.invalid).toBeWithin(Math.floor(COUNT / 9), Math.ceil((2 * COUNT) / 9) + 1)
  },
  isLong ? 36_000_000 : 600_000
)

test("a DigestInfo without NULL, which versions of OpenSSL judge differently, is not examinable; every other as by OpenSSL; Rule 9.5.5", async () => {
  const forms: ReadonlyArray<DigestForm> = [
    "standard",
    "without NULL, of another text",
    "the digest alone",
    "with a byte behind it"
  ]
  for (const hasAttributes of [true, false]) {
    for (const form of forms) {
      const { pdf, isValid } = await withDigestInfo(form, hasAttributes)
      expect([form, (await judged(pdf)).intact]).toEqual([form, isValid])
    }
    expect(await refusal((await withDigestInfo("without NULL", hasAttributes)).pdf)).toBe("signature_form")
  }
}, 60_000)
