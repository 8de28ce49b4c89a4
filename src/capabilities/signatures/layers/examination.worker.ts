/**
 * The process in which PDFs are examined. It reports that it is ready, then answers each PDF with its examination. It ends with the
 * process that started it.
 */
import { type Examination, examinePdf } from "./examinePdf.ts"
import { loadMuPdf } from "./mupdf.ts"

/** A fault is an error of the program, which says nothing about the file. */
export type WorkerAnswer = "ready" | { readonly examination: Examination } | { readonly fault: string }

const send = (answer: WorkerAnswer) => process.send?.(answer)

const serve = async () => {
  const muPdf = await loadMuPdf()
  process.on("disconnect", () => process.exit())
  process.on("message", (pdf: Uint8Array) => {
    try {
      send({ examination: examinePdf(pdf, muPdf) })
    } catch (error) {
      send({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  send("ready")
}
// A rejection ends the process; a bundle has no await at its top
void serve()
