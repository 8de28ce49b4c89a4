/** Verification of signed files, and refused files. Fixtures are generated here; nothing is stored. */
import { beforeAll, describe, expect, test } from "bun:test"
import { constants, deflateRawSync, deflateSync } from "node:zlib"
import signpdf from "@signpdf/signpdf"
import PDFDocument from "pdfkit"
import { certificate, OpenLengthSigner, prepared, rendered, signedBy } from "../../prescriptions/support/signed.ts"
import { testExaminer } from "./support/examiner.ts"

const { judged, refusal } = testExaminer()

let plain: Uint8Array
let signed: Buffer
let p12: Buffer
beforeAll(async () => {
  plain = await rendered()
  p12 = await certificate("Dr. med. Anne Weber")
  signed = await signedBy(plain, p12)
})

const none = { present: false, intact: false, covers_whole_file: false, signer: null, trust: "unchecked" } as const

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

// Curves, paddings and forms are compared with OpenSSL in openssl.test.ts
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

  test("without announced lengths", async () => {
    const open = await signpdf.sign(prepared(plain), new OpenLengthSigner("Dr. A"))
    expect(await judged(open)).toMatchObject({ intact: true, signer: "Dr. A" })
  })

  test("is absent from an unsigned file with a signature field", async () => {
    expect(await judged(plain)).toEqual(none)
  })

  test("is invalid when any covered byte was changed", async () => {
    const gap = signed.indexOf("/Contents <") + "/Contents ".length
    for (const at of [20, Math.floor(gap / 2), signed.length - 3])
      expect(await judged(flipped(signed, at))).toMatchObject({ present: true, intact: false })
    // in the signature's own dictionary, which is damaged by it
    expect(await judged(flipped(signed, gap - 20))).toMatchObject({ present: false, intact: false })
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
    const broken = { present: true, intact: false, covers_whole_file: false }
    expect(await judged(shifted)).toMatchObject({ ...broken, signer: null })
    const beyond = replaced(signed, ` ${resume} ${rest}`, ` ${resume} ${rest + 9}`)
    expect(await judged(beyond)).toMatchObject(broken)
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

/** The object that readers begin with. */
const CATALOGUE = "9 0 obj<</Type/Catalog>>endobj\n"

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

const scripted = () => withActions((pdf) => void pdf.addNamedJavaScript("x", "app.alert(1)"))
const launching = () =>
  withActions(
    (pdf) => void pdf.annotate(0, 0, 9, 9, { Subtype: "Link", A: { S: "Launch", F: Object("x.exe") } } as never)
  )

describe("a file is refused", () => {
  // Shows: a malicious PDF in a checkout
  test("when it is encrypted, by whatever method", async () => {
    expect(await refusal(await withActions(() => {}, { userPassword: "x", ownerPassword: "y" }))).toBe("encrypted")
    const modern = await rewritten(plain, "--object-streams=generate", "--encrypt", "u", "o", "256", "--")
    expect(await refusal(modern)).toBe("encrypted")
  })

  // Shows: a malicious PDF in a checkout
  test("when it holds JavaScript or a launch action, also in a compressed object stream or with escapes in its name", async () => {
    for (const [file, danger, ...escapes] of [
      [await scripted(), "javascript", "/S /JavaScript", "/S /#4aava#53cript", "/S /J#61vaScript"],
      [await launching(), "launch", "/Launch", "/L#61u#6Ech"]
    ] as const) {
      expect(await refusal(file)).toBe(danger)
      const hidden = await rewritten(file, "--object-streams=generate", "--compress-streams=y")
      expect(hidden.includes("/JavaScript") || hidden.includes("/Launch")).toBe(false)
      expect(await refusal(hidden)).toBe(danger)
      const [name, ...spellings] = escapes
      for (const spelling of spellings) expect(await refusal(replaced(file, name, spelling))).toBe(danger)
    }
  })

  /** Objects in a stream of objects, each with its number and offset. */
  const objectStream = (filter: string, data: Uint8Array, header = "5 0 obj") =>
    Buffer.concat([
      Buffer.from(`%PDF-1.7\n${header}<</Type/ObjStm/N 1/First 4${filter}/Length ${data.length}>>stream\n`),
      data,
      Buffer.from("\nendstream endobj\n9 0 obj<</Type/Catalog>>endobj\n")
    ])
  const script = Buffer.from("1 0 <</S/JavaScript/JS(app.alert\\(1\\))>>")

  // Shows: a malicious PDF in a checkout
  test("when the objects are encoded in whatever way", async () => {
    const hex = Buffer.from(`${script.toString("hex")}>`)
    for (const [filter, data] of [
      ["", script],
      ["/Filter/ASCIIHexDecode", hex],
      ["/F#69lter/AHx", hex],
      ["/Filter/FlateDecode", deflateSync(script)],
      ["/Filter[/FlateDecode/ASCIIHexDecode]", deflateSync(hex)],
      ["/Filter[/FlateDecode/FlateDecode]", deflateSync(deflateSync(script))],
      ["/X( >>\nendobj 9 0 obj<</A 1>>)/Filter/AHx", hex]
    ] as const)
      expect([filter, await refusal(objectStream(filter, data))]).toEqual([filter, "javascript"])
    expect(await refusal(objectStream("", script, "5%\n0\0obj"))).toBe("javascript")
    expect(await refusal(objectStream("/Filter/FlateDecode", deflateSync(Buffer.from("1 0 <</S/GoTo>>"))))).toBe(
      "taken"
    )
  })

  // Shows: a malicious PDF in a checkout
  test("when a truncated or corrupt stream contains it before the damage", async () => {
    const zlib = (raw: Uint8Array) => Buffer.concat([Buffer.from("789c", "hex"), raw])
    const whole = deflateSync(script)
    const sums = Buffer.from(whole)
    sums[whole.length - 1] = (whole[whole.length - 1] ?? 0) ^ 1
    expect(await refusal(objectStream("/Filter/FlateDecode", sums))).toBe("javascript")
    const open = deflateRawSync(script, { finishFlush: constants.Z_SYNC_FLUSH })
    for (const rest of ["", "ff", "05".repeat(40)]) {
      const data = zlib(Buffer.concat([open, Buffer.from(rest, "hex")]))
      const found = rest.length > 2 ? "structure" : "javascript"
      expect([rest, await refusal(objectStream("/Filter/FlateDecode", data))]).toEqual([rest, found])
    }
  })

  test("but not for other streams with other encodings", async () => {
    for (const dictionary of [
      "<</Length 9/Filter[/ASCII85Decode/FlateDecode]>>",
      "<</Subtype/Image/Filter/DCTDecode>>",
      "<</Subtype/Image/Filter/Unknown>>"
    ]) {
      const file = Buffer.from(`%PDF-1.7\n5 0 obj ${dictionary}stream\n?\nendstream endobj\n${CATALOGUE}`)
      expect([dictionary, await refusal(file)]).toEqual([dictionary, "taken"])
    }
  })

  // Shows: a malicious PDF in a checkout
  // Shows: PDFs that take minutes, all memory, or the whole queue
  test("when a form or a rendition contains a script, and not when they contain none", async () => {
    const file = (action: string, form: Uint8Array = Buffer.alloc(0), filter = "") =>
      Buffer.concat([
        Buffer.from(
          `%PDF-1.7\n1 0 obj<<${action}>>endobj\n${CATALOGUE}2 0 obj<<${filter}/Length ${form.length}>>stream\n`
        ),
        form,
        Buffer.from("\nendstream endobj\n")
      ])
    const utf16 = (text: string) => Buffer.from(text, "utf16le")
    const [xfa, flate, hex] = ["/AcroForm<</XFA 2 0 R>>", "/Filter/FlateDecode", "/F#69lter/ASCIIHexDecode"]
    const template = "<template><subform name='prescription'/></template>"
    const scripted = "<template><event><script>1</script></event></template>"
    for (const carrying of [
      file("/S/Rendition/JS(app.alert\\(1\\))"),
      file("/S/Rendition/J#53 3 0 R"),
      file(xfa, Buffer.from(scripted)),
      file("/AcroForm<</XFA[(config)1 0 R(template)2 0 R]>>", Buffer.from(scripted)),
      file(xfa, deflateSync(Buffer.from(scripted.replaceAll("script", "x:script"))), flate),
      file(xfa, deflateSync(utf16(scripted)), flate),
      file(xfa, utf16(scripted).swap16()),
      file(xfa, Buffer.from(`${Buffer.from(scripted).toString("hex")}>`), hex)
    ]) {
      const start = carrying.toString("latin1").slice(0, 80)
      expect([start, await refusal(carrying)]).toEqual([start, "javascript"])
    }
    for (const harmless of [
      file(hex, Buffer.from(Buffer.from(scripted).toString("hex"))),
      file("/S/Rendition/OP 0/AN 3 0 R"),
      file(xfa, Buffer.from(template)),
      file(xfa, deflateSync(utf16(template)), flate),
      file("/JS(x)", deflateSync(Buffer.from(scripted)), flate)
    ])
      expect(await refusal(harmless)).toBe("taken")
  })

  test("but not for a word with the same prefix, nor for text that mentions it", async () => {
    const mentioned = await withActions((pdf) => void pdf.text("JavaScript and Launch, /Launched"))
    expect(await refusal(mentioned)).toBe("taken")
    const file = (name: string) => refusal(Buffer.from(`%PDF-1.7\n1 0 obj<</S ${name}>>endobj\n${CATALOGUE}`))
    for (const name of [
      "/Launcher",
      "/launch",
      "/Lau#6Ech#65r",
      "(/Launch \\) /Launch)",
      "</Launch >",
      "(\\051/JavaScript)"
    ])
      expect([name, await file(name)]).toEqual([name, "taken"])
    for (const name of ["/Launch", "[/Launch]", "<</A(x)/B/Launch>>"])
      expect([name, await file(name)]).toEqual([name, "launch"])
  })
})

test("files without an object are taken as unsigned, and damaged ones cannot be examined", async () => {
  for (const text of ["%PDF-1.7", "", "%PDF-1.7 /ByteRange [0 0 0 0] /Contents <>", "%PDF /ByteRange [0 5 9 2]<41>"])
    expect(await judged(Buffer.from(text))).toEqual(none)
  for (const text of ["%PDF-1.7\nobj", "%PDF-1.7\n1 0 obj<<("])
    expect(await refusal(Buffer.from(text))).toBe("structure")
})
