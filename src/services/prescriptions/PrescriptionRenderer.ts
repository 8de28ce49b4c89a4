/**
 * The unsigned prescription as a PDF: a German private prescription on A5 landscape with the content required by AMVV §2, PDF/A-2a,
 * tagged, in German. Deterministic: the same sheet gives the same bytes (Rules 9.3.4 and 9.3.5).
 */
import { Effect } from "effect"
import type { PrescriptionSheet } from "../../schemas/prescriptions/PrescriptionSheet.ts"
import { open, type Pdf, undrawable } from "./render/document.ts"
import { draw } from "./render/draw.ts"
import { wording } from "./render/wording.ts"

const collected = (pdf: Pdf) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Array<Uint8Array> = []
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    pdf.once("end", () => resolve(Buffer.concat(chunks)))
    pdf.once("error", reject)
    pdf.end()
  })

export class PrescriptionRenderer extends Effect.Service<PrescriptionRenderer>()("prescriptions/PrescriptionRenderer", {
  effect: Effect.sync(() => {
    const render = Effect.fn("PrescriptionRenderer.render")(function* (sheet: PrescriptionSheet) {
      const pdf = open("Privatrezept", new Date(sheet.issued_at * 1000))
      yield* draw(pdf, wording(sheet))
      return yield* Effect.promise(() => collected(pdf))
    })

    /** The letters of the sheet's texts that cannot be drawn, each once. */
    const unprintable = (sheet: PrescriptionSheet): ReadonlyArray<string> => {
      const pdf = open("Privatrezept", new Date(0))
      const { rows, ...texts } = wording(sheet)
      const all = [...Object.values(texts), ...rows.flatMap((row) => Object.values(row))]
      return [...new Set(all.flatMap((text) => undrawable(pdf, text)))]
    }
    return { render, unprintable } as const
  })
}) {}
