/** The rendered prescription, checked with independent programs. */
import { describe, expect, spyOn, test } from "bun:test"
import fs from "node:fs"
import { Effect } from "effect"
import { Document, type PDFPage } from "mupdf"
import { PrescriptionUid } from "../../src/schemas/ids.ts"
import type { PrescriptionSheet } from "../../src/schemas/prescriptions/PrescriptionSheet.ts"
import { PrescriptionRenderer } from "../../src/services/prescriptions/PrescriptionRenderer.ts"
import { largestFitting, paginate } from "../../src/services/prescriptions/render/layout.ts"
import { birthDay } from "../../src/services/prescriptions/render/wording.ts"
import { someOf } from "../support/scale.ts"
import { fontsOf, objectsOf, plainOf, qpdfCheck, textOf } from "./support/pdf-tools.ts"
import { item, sheet } from "./support/sheets.ts"

const renderer = await Effect.runPromise(Effect.provide(PrescriptionRenderer, PrescriptionRenderer.Default))
const render = (of: PrescriptionSheet) => Effect.runPromise(renderer.render(of))
const whole = await render(sheet)
/** The text of the sheet of a patient with these names. */
const named = async (first_name: string | null, last_name: string | null) =>
  textOf(await render({ ...sheet, patient: { ...sheet.patient, first_name, last_name } }))

describe("the sheet contains what the law requires", () => {
  test("prescriber, date, patient, medicines with quantity and dosage", async () => {
    const text = (await textOf(whole)).replace(/\s+/g, " ")
    for (const part of [
      "Privatrezept",
      "Dr. med. Änne Größ",
      "Berufsbezeichnung: Fachärztin für Allgemeinmedizin",
      "Anschrift: Lindenstraße 5, 10115 Berlin",
      "Telefon: +49 30 1234567",
      "21.11.2026",
      "Zoë Żółć",
      "geboren am 01.05.1990 · weiblich",
      "Ibuprofen",
      "400 mg Filmtabletten · PZN 01234567",
      "2 × 20 Stück",
      "1-0-1 nach dem Essen",
      "1 × 10,5 ml",
      "keine Angabe",
      "Unterschrift der verschreibenden Person",
      sheet.prescription_uid,
      "Seite 1 von 1"
    ])
      expect(text).toContain(part)
  })

  test("unknown values are stated, not omitted", async () => {
    const patient = { ...sheet.patient, date_of_birth: null, gender: null }
    const prescriber = { ...sheet.prescriber, profession: null, address: null, phone: null }
    const text = await textOf(await render({ ...sheet, patient, prescriber }))
    expect(text).toContain("geboren am nicht hinterlegt")
    for (const label of ["Berufsbezeichnung", "Anschrift", "Telefon"])
      expect(text).toContain(`${label}: nicht hinterlegt`)
    expect(await textOf(await render({ ...sheet, prescriber: null }))).toContain("(Stempel)")
    expect(await named(null, null)).toContain("Name nicht hinterlegt")
    expect(await named(null, "Żółć")).not.toContain("nicht hinterlegt")
  })

  test("a birth date sent as UTC midnight and one sent as local midnight are the same day", () => {
    const midnight = Date.UTC(1990, 4, 1) / 1000
    expect([midnight, midnight - 7200, midnight - 3600, midnight + 5 * 3600].map(birthDay)).toEqual(
      Array.from({ length: 4 }, () => "01.05.1990")
    )
    expect(birthDay(Date.UTC(1938, 11, 24) / 1000 - 3600)).toBe("24.12.1938")
  })

  test("many medicines take several pages, and none is omitted", async () => {
    const items = Array.from({ length: 23 }, (_, i) => ({ ...item, product: `Mittel-${i + 1}.` }))
    const pdf = await render({ ...sheet, items })
    await qpdfCheck(pdf)
    const text = await textOf(pdf)
    for (const { product } of items) expect(text).toContain(product)
    const pages = text.split("\f").slice(0, -1)
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages) expect(page).toContain("Zoë Żółć")
    expect(text.match(/Unterschrift der/g)).toHaveLength(1)
  })

  // Shows: records so large that a page of them blocks a process, and buyers' texts that make an order fail
  test("very many medicines are drawn in slices that yield to the event loop", async () => {
    let turns = 0
    const count = () => {
      turns++
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    await render({ ...sheet, items: Array.from({ length: 30 }, () => item) })
    clearImmediate(next)
    expect(turns).toBeGreaterThan(8)
  })

  test("texts of maximum length fit on the sheet in full", async () => {
    const long = (n: number, end: string) => `${"wort ".repeat(n / 5)}${end}`
    const items = [{ ...item, product: long(250, "P9"), display_name: long(250, "D9"), dosage: long(990, "E9") }]
    const prescriber = { ...sheet.prescriber, display_name: long(250, "N9"), address: long(500, "A9") }
    const patient = { ...sheet.patient, first_name: long(250, "F9"), last_name: long(250, "L9") }
    const pdf = await render({ ...sheet, items, patient, prescriber, organisation: long(250, "O9") })
    await qpdfCheck(pdf)
    const text = await textOf(pdf)
    for (const end of ["P9", "D9", "E9", "N9", "A9", "F9", "L9", "O9"]) expect(text).toContain(end)
    expect((await objectsOf(pdf)).all.filter((o) => o["/Type"] === "/Page")).toHaveLength(1)
  })

  test("a symbol that the font lacks is visibly marked", async () => {
    const text = await named("Li \u{1F600}", "x\u0007y")
    for (const part of ["Li \u{FFFD}", "x\u{FFFD}y"]) expect(text).toContain(part)
  })

  test("names in Arabic are joined, from right to left, with their letters in logical order; Rule 9.3.7", async () => {
    const [organisation, display_name] = ["عيادة النور", "محمد علي الحسين"]
    const patient = { ...sheet.patient, first_name: "فاطمة", last_name: "الزهراء" }
    const pdf = await render({ ...sheet, organisation, patient, prescriber: { ...sheet.prescriber, display_name } })
    await qpdfCheck(pdf)
    const page = Document.openDocument(pdf, "application/pdf").loadPage(0) as PDFPage
    const content = await plainOf(pdf)
    for (const name of [organisation, display_name, "فاطمة الزهراء"])
      expect(content).toContain(`/ActualText <feff${Buffer.from(name, "utf16le").swap16().toString("hex")}>`)
    // the doctor's name, letter by letter, as the glyphs themselves state it
    const letters: Array<{ readonly letter: string; readonly x: number }> = []
    page.toStructuredText("ignore-actualtext").walk({
      onChar: (letter, [x]) => {
        if (/\p{Script=Arabic}/u.test(letter)) letters.push({ letter, x })
      }
    })
    const drawn = letters.slice(-display_name.replaceAll(" ", "").length)
    expect(drawn.map(({ letter }) => letter).join("")).toBe(display_name.replaceAll(" ", ""))
    expect(drawn.map(({ x }) => x)).toEqual(drawn.map(({ x }) => x).sort((a, b) => b - a))
    const fonts = ["NotoSans-Bold", "NotoSans-Regular", "NotoSansArabic-Bold", "NotoSansArabic-Regular"]
    expect((await fontsOf(pdf)).map(({ name = "" }) => name.slice(7)).sort()).toEqual(fonts)
  })

  test("letters that cannot be drawn are named, and those beside Arabic ones; Rule 9.3.7", () => {
    const unprintable = (first_name: string) =>
      renderer.unprintable({ ...sheet, patient: { ...sheet.patient, first_name, last_name: null } }).join("")
    for (const name of ["Zoë", "Ελένη", "Олександр", "محمد", "O’Neill-Müller ✓ \u{1F600}"])
      expect([name, unprintable(name)]).toEqual([name, ""])
    expect(["Li 李 明李", "דוד", "محمد Ali 2"].map(unprintable)).toEqual(["李明", "דו", "Ali2"])
  })
})

describe("the file", () => {
  test("is byte-identical for the same data, and differs for other data", async () => {
    expect(Buffer.from(whole).equals(await render(structuredClone(sheet)))).toBe(true)
    const other = await render({ ...sheet, prescription_uid: PrescriptionUid.make("prx_other") })
    expect(Buffer.from(whole).equals(other)).toBe(false)
  })

  test("does not depend on the machine's time zone", async () => {
    const script = `import { Effect } from "effect"
      import { PrescriptionRenderer } from "./src/services/prescriptions/PrescriptionRenderer.ts"
      import { sheet } from "./tests/prescriptions/support/sheets.ts"
      const bytes = await Effect.runPromise(
        Effect.flatMap(PrescriptionRenderer, (r) => r.render(sheet)).pipe(Effect.provide(PrescriptionRenderer.Default)))
      process.stdout.write(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"))`
    const cwd = new URL("../..", import.meta.url).pathname
    const zones = someOf(["Pacific/Kiritimati", "America/Los_Angeles"], 2)
    const hashes = zones.map((TZ) =>
      Bun.spawnSync([process.execPath, "--no-install", "-e", script], {
        cwd,
        env: { ...process.env, TZ }
      }).stdout.toString()
    )
    const own = new Bun.CryptoHasher("sha256").update(whole).digest("hex")
    expect(hashes).toEqual(zones.map(() => own))
  })

  test("declares PDF/A-2a, is tagged and in German", async () => {
    expect(await qpdfCheck(whole)).toContain("No syntax or stream encoding errors found")
    const xmp = Buffer.from(whole).toString("latin1")
    expect(xmp).toMatch(/^%PDF-1\.7\n%[\x80-\xff]{4}/)
    expect(xmp).toContain("<pdfaid:part>2</pdfaid:part>")
    expect(xmp).toContain("<pdfaid:conformance>A</pdfaid:conformance>")
    const { trailer, get } = await objectsOf(whole)
    const catalogue = get(trailer["/Root"])
    expect(trailer).toMatchObject({ "/ID": [expect.anything(), expect.anything()] })
    expect(catalogue).toMatchObject({ "/Lang": "u:de-DE", "/StructTreeRoot": expect.anything() })
    expect(get(catalogue["/MarkInfo"])["/Marked"]).toBe(true)
    const [intent] = (catalogue["/OutputIntents"] ?? []) as ReadonlyArray<string>
    expect(get(intent)["/S"]).toBe("/GTS_PDFA1")
    expect(get(get(intent)["/DestOutputProfile"])["/N"]).toBe(3)
    expect([trailer["/Encrypt"], catalogue["/OpenAction"], catalogue["/AA"]]).toEqual([undefined, undefined, undefined])
  })

  test("has a structure tree of known element types, with alternative text for the QR code", async () => {
    const { trailer, get } = await objectsOf(whole)
    const kinds: Array<string> = []
    const visit = (reference: string) => {
      const element = get(reference)
      if (typeof element["/S"] === "string") kinds.push(element["/S"])
      if (element["/S"] === "/Figure") expect(element["/Alt"]).toContain(sheet.prescription_uid)
      const children = element["/K"]
      for (const child of Array.isArray(children) ? children : []) if (typeof child === "string") visit(child)
    }
    visit(String(get(trailer["/Root"])["/StructTreeRoot"]))
    expect(kinds.slice(0, 2)).toEqual(["/Document", "/H1"])
    const counts = Map.groupBy(kinds, (kind) => kind)
    expect(Object.fromEntries([...counts].map(([kind, { length }]) => [kind, length]))).toEqual({
      "/Document": 1,
      "/H1": 1,
      "/P": expect.any(Number),
      "/Figure": 1,
      "/Table": 1,
      "/TR": 3,
      "/TH": 4,
      "/TD": 8,
      "/Form": 1
    })
  })

  test("embeds every font as a subset with a ToUnicode map", async () => {
    const fonts = await fontsOf(whole)
    expect(fonts.length).toBe(2)
    for (const font of fonts) {
      expect(font.name).toMatch(/^[A-Z]{6}\+NotoSans-/)
      expect(font).toMatchObject({ embedded: "yes", subset: "yes", unicode: "yes" })
    }
  })

  test("has one printed signature field with an appearance, and nothing that PDF/A forbids", async () => {
    const { trailer, get, all } = await objectsOf(whole)
    const form = get(get(trailer["/Root"])["/AcroForm"])
    expect(form["/NeedAppearances"]).toBeUndefined()
    const [field, ...more] = (form["/Fields"] ?? []) as ReadonlyArray<string>
    expect(more).toEqual([])
    expect(get(field)).toMatchObject({ "/FT": "/Sig", "/Subtype": "/Widget", "/F": 4 })
    expect(get(get(get(field)["/AP"])["/N"])).toMatchObject({ "/Subtype": "/Form" })
    for (const o of all)
      expect(Object.keys(o).filter((k) => ["/JS", "/AA", "/EF", "/LZW", "/TR", "/PS"].includes(k))).toEqual([])
  })
})

describe("pure parts", () => {
  test("pages are filled in order, and a row that is too high gets its own", () => {
    expect(paginate([40, 40, 40, 200, 10], 100)).toEqual([[0, 1], [2], [3], [4]])
    expect(paginate([], 100)).toEqual([[]])
  })
  test("the largest font size that fits is used, else the smallest", () => {
    expect(largestFitting([9, 8, 7], 80, (s) => s * 10)).toBe(8)
    expect(largestFitting([9, 8, 7], 10, (s) => s * 10)).toBe(7)
  })
})

test("each font is read once a sheet, however many texts it has", async () => {
  const read = spyOn(fs, "readFileSync")
  await render({ ...sheet, items: Array.from({ length: 20 }, () => item) })
  const fonts = read.mock.calls.map(([file]) => String(file)).filter((file) => file.endsWith(".ttf"))
  read.mockRestore()
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts).toEqual([...new Set(fonts)])
})
