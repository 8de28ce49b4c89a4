/**
 * Builds everything that a running service needs into `dist`: the pages' stylesheets and scripts, the documentation site,
 * and the service with its command line as bundles with ahead-of-time compiled bytecode. Unchanged sources are not
 * built again.
 */
import { existsSync } from "node:fs"
import { readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { decode, encode } from "@jridgewell/sourcemap-codec"
import { type BuildConfig, type BunPlugin, Glob } from "bun"
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
const PROGRAMS = ["main.ts", "cli.ts"]
const WORKERS = [...new Glob("**/*.worker.ts").scanSync(join(ROOT, "src"))]

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

/**
 * Packages that the sources `require` instead of importing them: bundles of their own beside the programs', so that a start reads
 * a third less, and their first use loads them. A worker has its packages within.
 */
const packagesApart = () => {
  const names = new Set<string>()
  const fileOf = (name: string) => `packages/${name.replaceAll("/", "-")}.js`
  const plugin: BunPlugin = {
    name: "packages apart",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[@\w]/ }, ({ path, kind, importer }) => {
        const isOurs = kind === "require-call" && importer.startsWith(join(ROOT, "src")) && !EXTERNAL.includes(path)
        if (!isOurs) return undefined
        names.add(path)
        return { path: `./${fileOf(path)}`, external: true }
      })
    }
  }
  return { names, fileOf, plugin }
}

const buildService = async () => {
  const outdir = `${DIST}.${process.pid}`
  // CommonJS: the only format that can be compiled to bytecode ahead of time
  const options = {
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: { whitespace: true, syntax: true },
    sourcemap: "linked",
    outdir
  } as const satisfies Partial<BuildConfig>
  const { names, fileOf, plugin } = packagesApart()
  const own = {
    ...options,
    root: join(ROOT, "src"),
    // By itself the build inlines the folder of the sources on this machine, where a moved bundle would look for its files
    define: { BUILD_COMMIT: JSON.stringify(commitOf()), "import.meta.dir": "module.path" },
    external: EXTERNAL
  }
  const entrypoints = (entries: ReadonlyArray<string>) => entries.map((entry) => join(ROOT, "src", entry))
  const programs = await Bun.build({ ...own, entrypoints: entrypoints(PROGRAMS), plugins: [plugin] })
  const workers = await Bun.build({ ...own, entrypoints: entrypoints(WORKERS) })
  const packages = await Promise.all(
    [...names].map((name) =>
      Bun.build({ ...options, entrypoints: [require.resolve(name)], naming: { entry: fileOf(name) } })
    )
  )
  // packages first: a program that starts meanwhile may need them
  const outputs = [...packages, workers, programs].flatMap((one) => one.outputs)
  // Safe to run concurrently: each file is written atomically
  for (const { path } of outputs) {
    const place = path.replace(outdir, DIST)
    await Bun.write(`${place}.${process.pid}`, path.endsWith(".map") ? await ofLines(path) : Bun.file(path))
    await rename(`${place}.${process.pid}`, place)
  }
  await rm(outdir, { recursive: true })
}

/** Builds if there is no build or the sources have changed; returns whether it built. */
export const build = async () => {
  const inputs = await inputsHash()
  const stamp = Bun.file(STAMP)
  const isThere = await Promise.all(
    [STAMP, join(DIST, "main.js"), join(DIST, "cli.js")].map((file) => Bun.file(file).exists())
  )
  if (!isThere.includes(false) && existsSync(join(DIST, "packages")) && (await stamp.text()) === inputs) return false
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
