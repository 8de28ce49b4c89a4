/** Verification of signed files, and refused files. Fixtures are generated here; nothing is stored. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { constants, deflateRawSync, deflateSync } from "node:zlib"
import signpdf from "@signpdf/signpdf"
import { Effect, Either, ManagedRuntime } from "effect"
import PDFDocument from "pdfkit"
import { findDanger } from "../../src/services/prescriptions/pdf/dangers.ts"
import { textSearch } from "../../src/services/prescriptions/pdf/names.ts"
import { SignatureExaminer } from "../../src/services/prescriptions/SignatureExaminer.ts"
import {
  certificate,
  OpenLengthSigner,
  prepared,
  rendered,
  signedBy,
  signedByOpenSsl,
  signedElliptically
} from "./support/signed.ts"

/** One examiner for all tests, as in the service: it keeps its thread. */
const runtime = ManagedRuntime.make(SignatureExaminer.Default)
afterAll(() => runtime.dispose())

const examine = (pdf: Uint8Array) =>
  runtime.runPromise(Effect.flatMap(SignatureExaminer, (e) => Effect.either(e.examine(pdf))))
const judged = async (pdf: Uint8Array) => Either.getOrThrow(await examine(pdf))
const refusal = async (pdf: Uint8Array) => {
  const result = await examine(pdf)
  return Either.isLeft(result) ? result.left.danger : "taken"
}

let plain: Uint8Array
let signed: Buffer
let p12: Buffer
beforeAll(async () => {
  plain = await rendered()
  p12 = await certificate("Dr. med. Anne Weber")
  signed = await signedBy(plain, p12)
})

/** The same file with one byte changed. */
const flipped = (pdf: Uint8Array, at: number) => {
  const copy = Buffer.from(pdf)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

const replaced = (pdf: Uint8Array, from: string, to: string) => {
  const text = Buffer.from(pdf).toString("latin1")
  expect(text).toContain(from)
  return Buffer.from(text.replace(from, to), "latin1")
}

describe("a signature", () => {
  test("that is valid", async () => {
    expect(await judged(signed)).toEqual({
      present: true,
      intact: true,
      covers_whole_file: true,
      signer: "Dr. med. Anne Weber",
      trust: "unchecked"
    })
  })

  test("with an elliptic curve, of a signer with an umlaut", async () => {
    const elliptic = await signedElliptically(plain, "Dr. med. Änne Größ")
    const whole = { present: true, intact: true, covers_whole_file: true, signer: "Dr. med. Änne Größ" }
    expect(await judged(elliptic)).toMatchObject(whole)
    expect(await judged(flipped(elliptic, 20))).toMatchObject({ ...whole, intact: false })
  })

  test("on the curves of German health professionals' cards, made by OpenSSL", async () => {
    for (const [curve, digest] of [
      ["brainpoolP256r1", "sha256"],
      ["brainpoolP384r1", "sha384"],
      ["brainpoolP512r1", "sha512"],
      ["prime256v1", "sha256"]
    ] as const) {
      const byCard = await signedByOpenSsl(plain, curve, "Dr. med. Änne Größ", digest)
      const whole = { present: true, intact: true, covers_whole_file: true, signer: "Dr. med. Änne Größ" }
      expect([curve, await judged(byCard)]).toMatchObject([curve, whole])
      expect(await judged(flipped(byCard, 20))).toMatchObject({ ...whole, intact: false })
      // The last byte of the CMS message is the last of the signature's value; zeros follow.
      const [, hex = ""] = /\/Contents <([0-9a-f]*?)(?:00)*>/i.exec(byCard.toString("latin1")) ?? []
      const forged = `${hex.slice(0, -1)}${hex.endsWith("1") ? "2" : "1"}`
      expect(await judged(replaced(byCard, hex, forged))).toMatchObject({ ...whole, intact: false })
    }
  })

  test("without attributes, of a signer who is named by the key, or without announced lengths", async () => {
    const open = await signpdf.sign(prepared(plain), new OpenLengthSigner("Dr. A"))
    expect(await judged(open)).toMatchObject({ intact: true, signer: "Dr. A" })
    for (const option of ["-noattr", "-keyid"])
      for (const curve of ["brainpoolP256r1", "prime256v1"]) {
        const pdf = await signedByOpenSsl(plain, curve, "Dr. A", "sha256", [option])
        const verdict = await judged(pdf)
        expect([option, curve, verdict]).toMatchObject([option, curve, { intact: true, signer: "Dr. A" }])
        expect(await judged(flipped(pdf, 20))).toMatchObject({ intact: false })
      }
  })

  test("by a card's key over other bytes is invalid", async () => {
    const hex = (pdf: Buffer) => /\/Contents (<[0-9A-Fa-f]+>)/.exec(pdf.toString("latin1"))?.[1] ?? ""
    const one = await signedByOpenSsl(plain, "brainpoolP256r1", "Eins")
    const other = await signedByOpenSsl(replaced(plain, "de-DE", "de-AT"), "brainpoolP256r1", "Zwei")
    expect(await judged(replaced(one, hex(one), hex(other)))).toMatchObject({ intact: false, signer: "Zwei" })
  })

  test("is absent from an unsigned file with a signature field", async () => {
    const none = { present: false, intact: false, covers_whole_file: false, signer: null, trust: "unchecked" } as const
    expect(await judged(plain)).toEqual(none)
  })

  test("is invalid when any covered byte was changed", async () => {
    const gap = signed.indexOf("/Contents <") + "/Contents ".length
    for (const at of [20, Math.floor(gap / 2), gap - 20, signed.length - 3])
      expect(await judged(flipped(signed, at))).toMatchObject({ present: true, intact: false })
  })

  test("is valid for its range when something was appended, and reports that it does not cover the whole file", async () => {
    const appended = Buffer.concat([signed, Buffer.from("\n9 0 obj\n<</New true>>\nendobj\n")])
    expect(await judged(appended)).toMatchObject({ present: true, intact: true, covers_whole_file: false })
    expect(await judged(Buffer.concat([signed, Buffer.from("\n")]))).toMatchObject({ covers_whole_file: false })
  })

  test("is invalid when its range excludes more than its own value", async () => {
    const [range = ""] = /\/ByteRange \[[^\]]*\]/.exec(signed.toString("latin1")) ?? []
    const [, , , resume = 0, rest = 0] = range.split(/[[\] ]+/).map(Number)
    const shifted = replaced(signed, ` ${resume} ${rest}`, ` ${resume + 9} ${rest - 9}`)
    expect(await judged(shifted)).toMatchObject({
      present: true,
      intact: false,
      covers_whole_file: false,
      signer: null
    })
    const beyond = replaced(signed, ` ${resume} ${rest}`, ` ${resume} ${rest + 9}`)
    expect(await judged(beyond)).toMatchObject({ present: true, intact: false, covers_whole_file: false })
  })

  test("that was prepared but never made is present and invalid", async () => {
    const bare = prepared(plain)
    const empty = replaced(bare, "/ByteRange [0 /********** /********** /**********]", "/ByteRange [0 10 20 30]")
    expect(await judged(empty)).toMatchObject({ present: true, intact: false, signer: null })
  })

  test("of another signer over other bytes is invalid", async () => {
    const hex = (pdf: Buffer) => /\/Contents (<[0-9A-Fa-f]+>)/.exec(pdf.toString("latin1"))?.[1] ?? ""
    const foreign = await signedBy(replaced(plain, "de-DE", "de-AT"), await certificate("Jemand"))
    expect(await judged(replaced(signed, hex(signed), hex(foreign)))).toMatchObject({ intact: false, signer: "Jemand" })
  })

  test("on top of another needs both to be valid, and the last signer is named", async () => {
    const twice = await signedBy(signed, await certificate("Zweite Person"))
    expect(await judged(twice)).toMatchObject({ intact: true, covers_whole_file: true, signer: "Zweite Person" })
    expect(await judged(flipped(twice, 20))).toMatchObject({ intact: false })
  })
})

const withActions = (build: (pdf: PDFKit.PDFDocument) => void, options: PDFKit.PDFDocumentOptions = {}) =>
  new Promise<Buffer>((resolve) => {
    const pdf = new PDFDocument(options)
    const chunks: Array<Uint8Array> = []
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    pdf.once("end", () => resolve(Buffer.concat(chunks)))
    build(pdf)
    pdf.end()
  })

/** The same document as qpdf writes it, with these options. */
const rewritten = async (pdf: Uint8Array, ...options: ReadonlyArray<string>) => {
  const path = `${process.env.TMPDIR ?? "/tmp"}/${crypto.randomUUID()}.pdf`
  await Bun.write(path, pdf)
  const { stdout, exitCode } = Bun.spawnSync(["qpdf", ...options, path, "-"])
  await Bun.file(path).delete()
  expect(exitCode).toBe(0)
  return stdout
}

describe("a file is refused", () => {
  test("when it is encrypted, by whatever method", async () => {
    expect(await refusal(await withActions(() => {}, { userPassword: "x", ownerPassword: "y" }))).toBe("encrypted")
    const modern = await rewritten(plain, "--object-streams=generate", "--encrypt", "u", "o", "256", "--")
    expect(await refusal(modern)).toBe("encrypted")
  })

  const scripted = () => withActions((pdf) => void pdf.addNamedJavaScript("x", "app.alert(1)"))
  const launching = () =>
    withActions(
      (pdf) => void pdf.annotate(0, 0, 9, 9, { Subtype: "Link", A: { S: "Launch", F: Object("x.exe") } } as never)
    )

  test("when it holds JavaScript or a launch action", async () => {
    expect(await refusal(await scripted())).toBe("javascript")
    expect(await refusal(await launching())).toBe("launch")
  })

  test("when these are in a compressed object stream", async () => {
    for (const [file, danger] of [
      [await scripted(), "javascript"],
      [await launching(), "launch"]
    ] as const) {
      const hidden = await rewritten(file, "--object-streams=generate", "--compress-streams=y")
      expect(hidden.includes("/JavaScript") || hidden.includes("/Launch")).toBe(false)
      expect(await refusal(hidden)).toBe(danger)
    }
  })

  test("when their names contain escapes", async () => {
    expect(await refusal(replaced(await launching(), "/Launch", "/L#61u#6Ech"))).toBe("launch")
    expect(await refusal(replaced(await scripted(), "/S /JavaScript", "/S /#4aava#53cript"))).toBe("javascript")
    expect(await refusal(replaced(await scripted(), "/S /JavaScript", "/S /J#61vaScript"))).toBe("javascript")
  })

  test("when a name is split between two decompressed chunks", async () => {
    for (const padding of [65_530, 65_534, 131_066]) {
      const stream = deflateSync(Buffer.from(`${" ".repeat(padding)}/Launch `))
      const file = Buffer.concat([Buffer.from("%PDF-1.7\n1 0 obj<</Length 9>>stream\r\n"), stream])
      expect(await findDanger(file)).toBe("launch")
    }
  })

  test("when objects are encoded so that their content cannot be scanned", async () => {
    const inside = Buffer.from("1 0 <</S/JavaScript/JS(app.alert\\(1\\))>>")
    const objects = (filter: string, data: Uint8Array, line = "\n") =>
      Buffer.concat([
        Buffer.from(`%PDF-1.7\n5 0 obj<</Type/ObjStm/N 1/First 4${filter}/Length 99>>stream${line}`),
        data,
        Buffer.from("\nendstream endobj")
      ])
    const hex = Buffer.from(`${inside.toString("hex")}>`)
    for (const [filter, data] of [
      ["/Filter/ASCIIHexDecode", hex],
      ["/Filter[/FlateDecode/ASCIIHexDecode]", deflateSync(hex)],
      ["/Filter[/FlateDecode/FlateDecode]", deflateSync(deflateSync(inside))],
      ["/Filter /L#5aWDecode", hex],
      ["/Filter 7 0 R", hex],
      ["/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 5>>", deflateSync(inside)]
    ] as const)
      expect([filter, await findDanger(objects(filter, data))]).toEqual([filter, "not_examinable"])
    expect(await findDanger(objects("/Filter/FlateDecode", deflateSync(inside), " %\r\n"))).toBe("javascript")
    expect(await findDanger(objects("/Filter/FlateDecode", deflateSync(Buffer.from("1 0 <</S/GoTo>>"))))).toBe(
      undefined
    )
  })

  test("when an object stream declares its type or encoding in an unusual way", async () => {
    const inside = Buffer.from("1 0 <</S/JavaScript/JS(app.alert\\(1\\))>>")
    const hex = Buffer.from(`${inside.toString("hex")}>`)
    const file = (dictionary: string, header = "5 0 obj") =>
      Buffer.concat([Buffer.from(`%PDF-1.7\n${header} ${dictionary} stream\n`), hex, Buffer.from("\nendstream endobj")])
    for (const dictionary of [
      "<</N 6 0 R/First 7 0 R/Filter/ASCIIHexDecode>>",
      "<</N 1/First 4/Filter[6 0 R]>>",
      "<</N 1/First 4/Filter%\n6 0 R>>",
      "<</N 1/First 4/F/AHx>>",
      "<</N 1/First 4/F#69lter/AHx>>",
      "<</N 1/First 4/X(stream\n)/Filter/AHx>>",
      "<</N 1/First 4/X( >>\nendobj 9 0 obj<</A 1>>)/Filter/AHx>>",
      "<</N 1/First 4/X(\\)>>\n9 0 obj<<)/Filter/AHx>>",
      "<</N 1/First 4/X<41\n9 0 obj<<42>/Filter/AHx>>",
      "<</N 1/First 4 endobj\n9 0 obj<</Filter/AHx>> >>",
      "<</N 1/First 4%>>stream\n9 0 obj<<\r/Filter/AHx>>"
    ])
      expect([dictionary, await findDanger(file(dictionary))]).toEqual([dictionary, "not_examinable"])
    expect(await findDanger(file("<</N 1/First 4/Filter/AHx>>", "5%\n0\0obj"))).toBe("not_examinable")
    expect(await findDanger(file("<</N 1/First 4/Filter/AHx>>", "obj".repeat(9)))).toBe("not_examinable")
  })

  test("but not for other streams with other encodings, beside outlines and forms", async () => {
    const objects = "1 0 obj<</AP<</N 6 0 R>>>>endobj\n2 0 obj<</First 5 0 R/Title(a\\)b(c))>>endobj\n"
    for (const dictionary of [
      "<</Length 9/Filter[/ASCII85Decode/FlateDecode]>>",
      "<</Type/XRef/W[1 2 1]/DecodeParms<</Columns 4/Predictor 12>>/Filter/FlateDecode/ID[<41><42>]>>",
      "<</Subtype/Image/Filter/DCTDecode>>",
      "<</Type/ObjStm/N 1/First 4/Filter [ /FlateDecode ]/Length 9>>",
      "<</Type/ObjStm/N 1/First 4/Length 9>>"
    ]) {
      const file = Buffer.from(`%PDF-1.7\n${objects}5 0 obj ${dictionary}stream\n?\nendstream endobj`)
      expect([dictionary, await findDanger(file)]).toEqual([dictionary, undefined])
    }
  })

  test("when objects are nested too deeply to be read", async () => {
    for (const nested of ["obj<<(", "obj%", "obj<<", "obj<<>>%"])
      expect([nested, await findDanger(Buffer.from(`%PDF-1.7\n${nested.repeat(30_000)}`))]).toEqual([
        nested,
        "not_examinable"
      ])
  })

  test("when a form or a rendition contains a script, and not when they contain none", async () => {
    const stream = (data: Uint8Array) =>
      Buffer.concat([Buffer.from("2 0 obj<<>>stream\n"), data, Buffer.from("\nendstream")])
    const file = (action: string, form: Uint8Array) =>
      Buffer.concat([Buffer.from(`%PDF-1.7\n1 0 obj<<${action}>>endobj\n`), stream(form)])
    const utf16 = (text: string) => Buffer.from(text, "utf16le")
    const none = Buffer.alloc(0)
    const xfa = "/AcroForm<</XFA 2 0 R>>"
    const template = "<template><subform name='prescription'/></template>"
    const script = "<template><event><script>1</script></event></template>"
    for (const carrying of [
      file("/S/Rendition/JS(app.alert\\(1\\))", none),
      file("/S/Rendition", deflateSync(Buffer.from("<</J#53 3 0 R>>"))),
      file(xfa, Buffer.from(script)),
      file(xfa, deflateSync(Buffer.from(script.replaceAll("script", "x:script")))),
      file(xfa, deflateSync(utf16(script))),
      file(xfa, utf16(script).swap16())
    ])
      expect(await findDanger(carrying)).toBe("javascript")
    const hex = "/F#69lter/ASCIIHexDecode"
    expect(await findDanger(file(xfa + hex, Buffer.from(Buffer.from(script).toString("hex"))))).toBe("not_examinable")
    for (const harmless of [
      file(hex, Buffer.from(Buffer.from(script).toString("hex"))),
      file("/S/Rendition/OP 0/AN 3 0 R", none),
      file(xfa, Buffer.from(template)),
      file(xfa, deflateSync(utf16(template))),
      file("/JS(x)", deflateSync(Buffer.from(script)))
    ])
      expect(await findDanger(harmless)).toBeUndefined()
  })

  test("when a truncated or corrupt stream contains it before the damage", async () => {
    const file = (data: Uint8Array, line = "\n") =>
      Buffer.concat([Buffer.from(`%PDF-1.7\n1 0 obj<</Length 9>>stream${line}`), data, Buffer.from("\nendstream")])
    const zlib = (raw: Uint8Array) => Buffer.concat([Buffer.from("789c", "hex"), raw])
    for (const padding of [0, 70_000, 200_000]) {
      const text = Buffer.from(`${" ".repeat(padding)}/JavaScript `)
      const whole = deflateSync(text)
      const sums = Buffer.from(whole)
      sums[whole.length - 1] = (whole[whole.length - 1] ?? 0) ^ 1
      expect([padding, await findDanger(file(sums))]).toEqual([padding, "javascript"])
      const open = deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH })
      for (const rest of ["", "ff", "05".repeat(40)]) {
        const found = await findDanger(file(zlib(Buffer.concat([open, Buffer.from(rest, "hex")]))))
        expect([padding, rest, found]).toEqual([padding, rest, expect.stringMatching(/^(javascript|not_examinable)$/)])
      }
    }
    expect(await findDanger(file(deflateSync(Buffer.from("/Launch ")), `${" ".repeat(9_000)}\r\n`))).toBe("launch")
  })

  test("but not for a word with the same prefix, nor for text that mentions it", async () => {
    const harmless = await withActions((pdf) => void pdf.text("JavaScript and Launch, /Launched"))
    expect(await refusal(harmless)).toBe("taken")
    const search = (text: string) => textSearch(["/Launch", "/JavaScript"]).feed(Buffer.from(text), true)
    expect(["/Launcher", "Launch", "/launch", "/Lau#6Ech#65r "].flatMap(search)).toEqual([])
    expect(["/Launch", "<</S/Launch>>", "/JavaScript["].flatMap(search)).toEqual(["/Launch", "/Launch", "/JavaScript"])
  })

  test("when it is a decompression bomb, before memory is exhausted", async () => {
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024))
    const parts = Array.from({ length: 9 }, () => Buffer.concat([Buffer.from("stream\n"), bomb]))
    expect(await findDanger(Buffer.concat(parts))).toBe("too_large_unpacked")
  })
})

test("random bytes are examined without a crash", async () => {
  for (const text of ["%PDF-1.7", "", "%PDF-1.7 /ByteRange [0 0 0 0] /Contents <>", "%PDF /ByteRange [0 5 9 2]<41>"])
    expect(Either.isRight(await examine(Buffer.from(text)))).toBe(true)
})
