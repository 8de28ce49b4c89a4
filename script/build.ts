/**
 * Builds everything that a running service needs into `dist`: the pages' stylesheets and scripts, the documentation site,
 * and the service with its command line as bundles with ahead-of-time compiled bytecode. Unchanged sources are not
 * built again.
 */
import { existsSync } from "node:fs"
import { readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { decode, encode } from "@jridgewell/sourcemap-codec"
import { Glob } from "bun"
import { ROOT } from "../src/paths.ts"

const DIST = join(ROOT, "dist")
/** Written last: the hash of the build's inputs. */
const STAMP = join(DIST, "built")

const INPUTS = [
  "src/**/*",
  "script/**/*",
  "docs/**/*.md",
  "docs/partners/examples/*",
  "clients/**/*",
  "*.{json,lock,md,toml}"
]

/** Entry points. Workers are started by their paths: see `src/paths.ts`. */
const ENTRIES = ["main.ts", "cli.ts", ...new Glob("**/*.worker.ts").scanSync(join(ROOT, "src"))]

/** Packages that read their own files, which a bundle would not contain. */
const EXTERNAL = ["mupdf", "pdfkit"]

/** The commit of the sources, or `BUILD_COMMIT` where there is no repository, as in the image. */
const commitOf = () => {
  const given = process.env.BUILD_COMMIT
  if (given !== undefined && given !== "") return given.slice(0, 12)
  const git = (...args: ReadonlyArray<string>) => Bun.spawnSync(["git", "-C", ROOT, ...args])
  const head = git("rev-parse", "--short=12", "HEAD")
  if (head.exitCode !== 0) return "unknown"
  const isModified = git("status", "--porcelain", "--", "src", "package.json", "bun.lock").stdout.length > 0
  return `${String(head.stdout).trim()}${isModified ? "-modified" : ""}`
}

const inputsHash = async () => {
  const files = INPUTS.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)])
  const sources = [...new Set(files)].filter((file) => !/node_modules|\/dist\//.test(file)).sort()
  const contents = await Promise.all(sources.map((file) => readFile(join(ROOT, file))))
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version).update(commitOf())
  for (const [index, file] of sources.entries()) hash.update(file).update(contents[index] ?? "")
  return hash.digest("hex")
}

/**
 * A source map of lines: the first place of each line of the sources, without columns, names and texts. Each start reads
 * the map, and a quarter of its size is enough for the lines of stack traces.
 */
const ofLines = async (path: string) => {
  const { mappings, sources, ...map } = await Bun.file(path).json()
  const places = decode(mappings).map((line) =>
    line.filter(([, source, row], index) => line[index - 1]?.[1] !== source || line[index - 1]?.[2] !== row)
  )
  return JSON.stringify({ ...map, sources, sourcesContent: sources.map(() => ""), names: [], mappings: encode(places) })
}

const buildService = async () => {
  // CommonJS: the only format that can be compiled to bytecode ahead of time
  const { outputs } = await Bun.build({
    entrypoints: ENTRIES.map((entry) => join(ROOT, "src", entry)),
    root: join(ROOT, "src"),
    target: "bun",
    format: "cjs",
    bytecode: true,
    // By itself the build inlines the folder of the sources on this machine, where a moved bundle would look for its files
    define: { BUILD_COMMIT: JSON.stringify(commitOf()), "import.meta.dir": "module.path" },
    minify: { whitespace: true, syntax: true },
    sourcemap: "linked",
    external: EXTERNAL,
    outdir: `${DIST}.${process.pid}`
  })
  // Safe to run concurrently: each file is written atomically
  for (const { path } of outputs) {
    const place = path.replace(`${DIST}.${process.pid}`, DIST)
    await Bun.write(`${place}.${process.pid}`, path.endsWith(".map") ? await ofLines(path) : Bun.file(path))
    await rename(`${place}.${process.pid}`, place)
  }
  await rm(`${DIST}.${process.pid}`, { recursive: true })
}

/** Builds if there is no build or the sources have changed; returns whether it built. */
export const build = async () => {
  const inputs = await inputsHash()
  const stamp = Bun.file(STAMP)
  const isThere = await Promise.all(
    [STAMP, join(DIST, "main.js"), join(DIST, "cli.js")].map((file) => Bun.file(file).exists())
  )
  if (!isThere.includes(false) && (await stamp.text()) === inputs) return false
  // imported lazily: a start without anything to build does not need it
  const { buildPages } = await import("../src/pages/build.ts")
  const isDocumented = existsSync(join(ROOT, "src/capabilities/documentation"))
  const site = isDocumented ? (await import("./site/build.ts")).buildSite() : undefined
  await Promise.all([buildPages(), site, buildService()])
  await Bun.write(`${STAMP}.${process.pid}`, inputs)
  await rename(`${STAMP}.${process.pid}`, STAMP)
  return true
}

if (import.meta.main)
  console.log((await build()) ? "Built the pages, the documentation and the service" : "All is built already")
