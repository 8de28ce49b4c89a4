import { posix } from "node:path"

/** A source file by its path from the project's root. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

interface Direction {
  readonly from: RegExp
  readonly never: RegExp
  readonly because: string
}

const DIRECTIONS: ReadonlyArray<Direction> = [
  { from: /^src\//, never: /^(tests|bench|script)\//, because: "the service knows nothing of its tests and tools" },
  { from: /^src\/schemas\//, never: /^src\/(?!schemas\/)/, because: "schemas import nothing above them" },
  {
    from: /^src\/services\//,
    never: /^src\/(http|pages|jobs|layers|main|cli)\b/,
    because: "services know neither callers nor layers"
  },
  { from: /^src\/texts\//, never: /^src\/(?!texts\/)/, because: "texts import nothing above them" },
  {
    from: /^src\/pages\//,
    never: /^src\/(?!pages\/|texts\/|schemas\/|paths\.)/,
    because: "pages are given plain data and know neither the service nor its database"
  },
  {
    from: /^src\/(capabilities\/[^/]+\/)?pages\/(islands|widget)\//,
    never: /^src\/(schemas\/|texts\/catalogue|pages\/(build|manifest))/,
    because: "it would be shipped to browsers"
  },
  {
    from: /^src\/pages\/views\//,
    never: /^src\/pages\/(islands|widget)\//,
    because: "views are rendered by the server, where there is no DOM"
  },
  { from: /^src\/http\//, never: /^src\/(jobs|layers|main|cli)\b/, because: "http stands on services alone" },
  { from: /^src\/jobs\//, never: /^src\/(http|layers|main|cli)\b/, because: "jobs stand on services alone" },
  { from: /^src\/layers\//, never: /^src\/(main|cli)\b/, because: "layers do not know who launches them" },
  {
    from: /^src\/(?!capabilities\/|main\.ts|cli\b)/,
    never: /^src\/capabilities\//,
    because: "the core knows no capability: it folds their manifests"
  },
  {
    from: /^src\/capabilities\//,
    never: /^src\/(layers|main|cli)\b/,
    because: "capabilities stand on schemas, services, http and jobs"
  }
]

/** The capability of a file. */
const capabilityOf = (path: string) => /^src\/capabilities\/([^/]+)\//.exec(path)?.[1]

/** Parts that capabilities share and the core does not use. */
const SHARED = "shared"

/** Imports of one capability by another, and of a capability by the shared parts. */
const betweenCapabilities = (file: SourceFile) =>
  importsOf(file).flatMap((target) => {
    const [from, to] = [capabilityOf(file.path), capabilityOf(target)]
    return from === undefined || to === undefined || to === SHARED || from === to
      ? []
      : [`${file.path} imports ${target}: ${from} needs no ${to}`]
  })

// Type imports count: `import type` and `import("…")` in a type depend on another layer as much as a call
const SPECIFIER = /(?:\bfrom\s+|\bimport\s+|\bimport\s*\(\s*)["'](\.[^"']*)["']/g

/** The files that a file imports, with paths from the project's root, without packages. */
export const importsOf = ({ path, text }: SourceFile): ReadonlyArray<string> =>
  [...text.matchAll(SPECIFIER)].map(([, specifier = ""]) => posix.join(posix.dirname(path), specifier))

const circles = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]))
  const done = new Set<string>()
  const found: Array<string> = []
  const walk = (path: string, way: ReadonlyArray<string>) => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(" → "))
    if (done.has(path)) return
    done.add(path)
    for (const next of imports.get(path) ?? []) walk(next, [...way, path])
  }
  for (const { path } of files) walk(path, [])
  return found.map((circle) => `${circle}: imports go in a circle`)
}

/** All imports against the direction of the layers, and all import cycles, one per line. */
export const importFaults = (files: ReadonlyArray<SourceFile>): ReadonlyArray<string> => [
  ...files.flatMap((file) =>
    importsOf(file).flatMap((target) =>
      DIRECTIONS.filter(({ from, never }) => from.test(file.path) && never.test(target)).map(
        ({ because }) => `${file.path} imports ${target}: ${because}`
      )
    )
  ),
  ...files.flatMap(betweenCapabilities),
  ...circles(files)
]
