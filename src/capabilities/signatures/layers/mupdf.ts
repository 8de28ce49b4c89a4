/** Loads MuPDF, with a limit of its memory. */
import { dirname, join } from "node:path"
import { packageFile } from "../../../paths.ts"

/** What the memory of MuPDF may grow to: 22 MiB at the start, a file of 10 MiB, and its objects. */
export const MEMORY_MAX = 96 * 1024 * 1024
const PAGE = 64 * 1024

/** The errors after which MuPDF goes on although it may have left out many objects: its own limits, and streams of objects. */
const UNREAD = /^limit error|corrupt object stream/

/** The limits that the file being read has met. MuPDF goes on without the object that it could not read. */
const met = new Set<"memory" | "structure">()

/** The limit is set on the memory itself: MuPDF's build declares 2 GiB. */
const limit = (memory: WebAssembly.Memory) => {
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE <= MEMORY_MAX) return grow(pages)
    met.add("memory")
    throw new RangeError("The memory of MuPDF is limited")
  }
}

type Imports = ConstructorParameters<typeof WebAssembly.Instance>[1]
type Instantiated = (instance: WebAssembly.Instance) => void

export const loadMuPdf = async () => {
  const binary = join(dirname(packageFile("mupdf")), "mupdf-wasm.wasm")
  const module = new WebAssembly.Module(await Bun.file(binary).bytes())
  const silent = () => undefined
  // The name under which MuPDF's module reads its options
  Object.assign(globalThis, {
    $libmupdf_wasm_Module: {
      print: silent,
      printErr: silent,
      instantiateWasm: (imports: Imports, done: Instantiated) => {
        const instance = new WebAssembly.Instance(module, imports)
        for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) limit(value)
        done(instance)
      }
    }
  })
  const { Document, setLog } = await import("mupdf")
  // What it repairs in files is no fault of the service, and is not logged. A single damaged object is left out, as readers do
  const noted = (message: string) => UNREAD.test(message) && met.add("structure")
  setLog({ error: noted, warning: silent })
  return { Document, met }
}
export type MuPdf = Awaited<ReturnType<typeof loadMuPdf>>
