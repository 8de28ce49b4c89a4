/** Examines a PDF with independent programs: qpdf, and poppler's pdftotext and pdffonts (Debian: qpdf, poppler-utils). */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const run = (command: ReadonlyArray<string>) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command])
  if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}: ${stdout}${stderr}`)
  return stdout.toString()
}

const withFile = async <A>(bytes: Uint8Array, use: (path: string) => A): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "pdf-"))
  try {
    const path = join(folder, "document.pdf")
    await Bun.write(path, bytes)
    return use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Checks the file with qpdf; throws if it finds an error. */
export const qpdfCheck = (bytes: Uint8Array) => withFile(bytes, (path) => run(["qpdf", "--check", path]))

export const textOf = (bytes: Uint8Array) => withFile(bytes, (path) => run(["pdftotext", "-layout", path, "-"]))

/** The file with its streams decompressed, and strings that are no ASCII in hexadecimal. */
export const plainOf = (bytes: Uint8Array) =>
  withFile(bytes, (path) => run(["qpdf", "--qdf", "--object-streams=disable", path, "-"]))

/** One line per font: name, type, embedded, subset, with Unicode map. */
export const fontsOf = async (bytes: Uint8Array) => {
  const table = (await withFile(bytes, (path) => run(["pdffonts", path]))).trimEnd().split("\n").slice(2)
  return table.map((line) => {
    const [, name, embedded, subset, unicode] = /^(\S+).*?(yes|no) +(yes|no) +(yes|no) +\d+ +\d+$/.exec(line) ?? []
    return { name, embedded, subset, unicode }
  })
}

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
export type Dictionary = { readonly [key: string]: Json }

/** Every object of the file by its reference, such as "3 0 R", and the trailer, as dictionaries; stream data left out. */
export const objectsOf = async (bytes: Uint8Array) => {
  const json = await withFile(bytes, (path) => run(["qpdf", "--json=2", "--json-stream-data=none", path]))
  const [, objects] = JSON.parse(json).qpdf as [
    unknown,
    Record<string, { value?: Json; stream?: { dict: Dictionary } }>
  ]
  const all = new Map(
    Object.entries(objects).map(([key, o]) => [key.replace("obj:", ""), o.stream?.dict ?? o.value ?? null])
  )
  const get = (value: Json | undefined): Dictionary => {
    const found = typeof value === "string" && / R$/.test(value) ? all.get(value) : value
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Dictionary) : {}
  }
  return { all: [...all.values()].map(get), get, trailer: get(all.get("trailer")) }
}
