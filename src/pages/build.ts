/** Bundles the stylesheet and scripts of the pages into `dist/pages`, unless the sources are unchanged since the last build. */
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { Option, Schema } from "effect"
import { addLanguages, catalogue } from "../texts/catalogue.ts"
import { writtenLanguages } from "../texts/language.ts"
import { BUILT, MANIFEST, Manifest } from "./manifest.ts"

const core = {
  stylesheet: "styles/hosted.css",
  booking: "islands/booking.ts",
  widget: "widget/booking-widget.ts"
}
/** Those of capabilities by the names of their files: `x` of `x.entry.ts`, `x-stylesheet` of `x.entry.css` in their pages. */
const added = [
  ...new Bun.Glob("../capabilities/*/pages/**/*.entry.{ts,tsx,css}").scanSync({ cwd: import.meta.dir })
].map(
  (file) =>
    [
      basename(file)
        .replace(".entry.css", "-stylesheet")
        .replace(/\.entry\.tsx?$/, ""),
      file
    ] as const
)
const entries = new Map([...Object.entries(core), ...added])

/** The font's files, by script; together they hold Latin and Cyrillic letters. */
const fonts = ["latin", "latin-ext", "cyrillic"]

const ManifestText = Schema.parseJson(Manifest, { space: 2 })

/** The modules of capabilities whose names end so. */
const modulesOf = (pattern: string) =>
  Promise.all(
    [...new Bun.Glob(`../capabilities/*/${pattern}`).scanSync({ cwd: import.meta.dir })].map(
      (file) => import(join(import.meta.dir, file))
    )
  )

/** Bundles have the texts of all languages. */
for (const { languages } of await modulesOf("texts/*.languages.ts")) addLanguages(languages)
const widgetTexts = Object.fromEntries(writtenLanguages().map((language) => [language, catalogue[language].widget]))

/** A hash of the sources, the packages' versions and the bundler's version. */
const hashInputs = async () => {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version)
  const files = ["../../bun.lock"]
  for (const folder of [".", "../texts", "../capabilities"])
    for (const file of await readdir(join(import.meta.dir, folder), { recursive: true }))
      if (/\.(tsx?|css)$/.test(file) && (folder !== "../capabilities" || /\/(pages|texts)\//.test(file)))
        files.push(join(folder, file))
  for (const file of files.sort()) hash.update(file).update(await readFile(join(import.meta.dir, file)))
  return hash.digest("hex")
}

const bundle = async (name: string, entry: string) => {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, entry)],
    target: "browser",
    format: name === "widget" ? "iife" : "esm",
    ...(name === "widget" && { banner: "/* SPDX-License-Identifier: Apache-2.0 */" }),
    minify: true,
    define: { "process.env.NODE_ENV": '"production"', WIDGET_TEXTS: JSON.stringify(widgetTexts) }
  })
  if (outputs[0] === undefined) throw new Error(`The bundle of ${name} is empty`)
  return new Uint8Array(await outputs[0].arrayBuffer())
}

/** What capabilities serve as JSON, by name: the `files` of `x.json.ts` in their pages. */
const jsonFiles = async () => {
  const modules: ReadonlyArray<{ readonly files: Readonly<Record<string, object>> }> =
    await modulesOf("pages/**/*.json.ts")
  return modules.flatMap(({ files }) => Object.entries(files))
}

const kinds = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  woff2: "font/woff2"
} as const

const assetOf = (name: string, bytes: Uint8Array<ArrayBuffer>, kind: keyof typeof kinds) => {
  const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 16)
  const file = name === "widget" ? "booking-widget.js" : `${name}-${digest}.${kind}`
  const integrity = `sha384-${new Bun.CryptoHasher("sha384").update(bytes).digest("base64")}`
  return { name, bytes, asset: { file, contentType: kinds[kind], integrity } }
}

const fontFiles = () =>
  Promise.all(
    fonts.map(async (script) => {
      const file = Bun.resolveSync(
        `@fontsource-variable/manrope/files/manrope-${script}-wght-normal.woff2`,
        import.meta.dir
      )
      return assetOf(`font-${script}`, await Bun.file(file).bytes(), "woff2")
    })
  )

const build =
  (files: Awaited<ReturnType<typeof fontFiles>>) =>
  async ([name, content]: readonly [string, string | object]) => {
    if (typeof content !== "string") return assetOf(name, new TextEncoder().encode(JSON.stringify(content)), "json")
    const bytes = await bundle(name, content)
    if (!content.endsWith(".css")) return assetOf(name, bytes, "js")
    // beside the stylesheet
    const text = new TextDecoder()
      .decode(bytes)
      .replace(
        /\(https:\/\/font\.invalid\/([a-z-]+)\)/g,
        (_, script) => `(${files.find(({ name }) => name === `font-${script}`)?.asset.file})`
      )
    return assetOf(name, new TextEncoder().encode(text), "css")
  }

/** Safe to run concurrently: every file is written atomically, and the manifest last. */
const write = async (file: string, bytes: Uint8Array | string) => {
  const draft = `${file}.${process.pid}`
  await Bun.write(draft, bytes)
  await rename(draft, file)
}

const builtInputs = async () => {
  const manifest = Bun.file(MANIFEST)
  const found = (await manifest.exists()) ? Schema.decodeOption(ManifestText)(await manifest.text()) : Option.none()
  return Option.getOrUndefined(Option.map(found, ({ inputs }) => inputs))
}

/** Builds if there is no build or the sources have changed; returns whether it built. */
export const buildPages = async () => {
  const inputs = await hashInputs()
  if ((await builtInputs()) === inputs) return false
  await mkdir(BUILT, { recursive: true })
  const files = await fontFiles()
  const built = [...files, ...(await Promise.all([...entries, ...(await jsonFiles())].map(build(files))))]
  const kept = new Set(["manifest.json"])
  for (const { bytes, asset } of built)
    for (const [ending, content] of [
      ["", bytes],
      [".gz", Bun.gzipSync(bytes, { level: 9 })],
      [".br", brotliCompressSync(bytes)]
    ] as const) {
      kept.add(asset.file + ending)
      await write(join(BUILT, asset.file + ending), content)
    }
  const assets = Object.fromEntries(built.map(({ name, asset }) => [name, asset]))
  await write(MANIFEST, Schema.encodeSync(ManifestText)(Schema.decodeUnknownSync(Manifest)({ inputs, assets })))
  for (const file of await readdir(BUILT))
    if (!kept.has(file) && !/\.\d+$/.test(file)) await rm(join(BUILT, file), { force: true })
  return true
}

if (import.meta.main)
  console.log((await buildPages()) ? `Built the pages into ${BUILT}` : "The pages are built already")
