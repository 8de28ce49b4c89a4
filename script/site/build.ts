/** Builds the documentation site into `dist/site`, unless the sources are unchanged since the last build. */
import { mkdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import MiniSearch from "minisearch"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { PharmacyApi } from "../../src/capabilities/documentation/http/PharmacyApi.ts"
import {
  documents,
  markdownFile,
  pageFile,
  SITE,
  SITE_MANIFEST,
  type SiteManifest
} from "../../src/capabilities/documentation/http/siteManifest.ts"
import { ROOT } from "../../src/paths.ts"
import { documentNow } from "../generate/document.ts"
import { Api } from "../generate/wholeApi.ts"
import { asMarkdown, llmsText } from "./asMarkdown.ts"
import { packClient, TARBALL } from "./clientPackage.ts"
import { home } from "./home.ts"
import { documentHtml, type NavigationGroup } from "./layout.ts"
import { markdownPage } from "./markdown.ts"
import { referenceOf } from "./reference.ts"
import { searchOptions } from "./searchOptions.ts"
import { chapters, downloads } from "./sections.ts"

/** The inputs of the site: texts, contracts, examples, and the generators. */
const INPUTS = [
  "docs/**/*.md",
  "CHANGELOG.md",
  "bun.lock",
  "clients/**/*.{ts,mjs,py,php,json,md}",
  "docs/partners/examples/*",
  "script/site/**/*",
  "script/generate/{document,schemaTypes}.ts",
  "src/http/*.ts",
  "src/http/**/*Api.ts",
  "src/capabilities/*/{http,schemas}/**/*.ts",
  "src/schemas/**/*.ts",
  "src/pages/styles/tokens.css",
  "src/version.ts"
]

const inputsHash = async () => {
  const files = INPUTS.flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)])
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version)
  for (const file of [...new Set(files)].filter((one) => !/node_modules|\/dist\//.test(one)).sort())
    hash.update(file).update(await readFile(join(ROOT, file)))
  return hash.digest("hex")
}

const named = (name: string, ending: string, content: string) =>
  `${name}-${new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 16)}.${ending}`

const bundled = async (entry: string) => {
  const { outputs } = await Bun.build({ entrypoints: [join(import.meta.dir, entry)], target: "browser", minify: true })
  const [output] = outputs
  if (output === undefined) throw new Error(`The bundle of ${entry} is empty`)
  return output.text()
}

const pagesOf = async () => {
  const reference = referenceOf(documentNow())
  const sources = chapters.flatMap(({ sources }) => sources)
  const texts = await Promise.all(
    sources.map(async (source) => markdownPage(source, await Bun.file(join(ROOT, source.file)).text()))
  )
  const navigation: ReadonlyArray<NavigationGroup> = [
    ...chapters.slice(0, 1).map(({ label, sources: links }) => ({ label, links })),
    { label: "Reference", links: reference.groups },
    ...chapters.slice(1).map(({ label, sources: links }) => ({ label, links }))
  ]
  return { pages: [home, ...texts, ...reference.pages], navigation }
}

const searchIndex = (pages: Awaited<ReturnType<typeof pagesOf>>["pages"]) => {
  const index = new MiniSearch(searchOptions)
  const sections = pages.flatMap((page) => page.sections)
  index.addAll([...new Map(sections.map((section) => [section.address, section])).values()])
  return JSON.stringify(index)
}

const build = async (folder: string, inputs: string) => {
  const [{ pages, navigation }, stylesheet, script] = await Promise.all([
    pagesOf(),
    bundled("site.css"),
    bundled("browser/site.ts")
  ])
  const search = searchIndex(pages)
  const assets: Readonly<Record<string, string>> = {
    [named("site", "css", stylesheet)]: stylesheet,
    [named("site", "js", script)]: script,
    [named("search", "json", search)]: search
  }
  const [css = "", js = "", json = ""] = Object.keys(assets)
  const frame = {
    navigation,
    stylesheet: `/docs/assets/${css}`,
    script: `/docs/assets/${js}`,
    search: `/docs/assets/${json}`,
    version: documentNow().info.version
  }
  await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(assets)) await Bun.write(join(folder, "assets", file), text)
  for (const page of pages) {
    await Bun.write(join(folder, pageFile(page.path)), documentHtml(page, frame))
    await Bun.write(join(folder, markdownFile(page.path)), asMarkdown(page))
  }
  await Bun.write(join(folder, documents.llms), llmsText(navigation))
  await Bun.write(join(folder, documents.whole), JSON.stringify(documentOf(Api, "%BASE_URL%")))
  await Bun.write(join(folder, documents.pharmacy), JSON.stringify(documentOf(PharmacyApi, "%BASE_URL%")))
  for (const [name, file] of Object.entries(downloads))
    await Bun.write(join(folder, "downloads", name), Bun.file(join(ROOT, file)))
  await packClient(join(folder, "downloads"))
  const manifest: SiteManifest = {
    inputs,
    pages: pages.map(({ path }) => path),
    assets: Object.keys(assets),
    downloads: [...Object.keys(downloads), TARBALL]
  }
  await Bun.write(join(folder, "manifest.json"), JSON.stringify(manifest))
}

const builtInputs = async () => {
  const manifest = Bun.file(SITE_MANIFEST)
  return (await manifest.exists()) ? (await manifest.json()).inputs : undefined
}

/** Builds if there is no build or the sources have changed; returns whether it built. */
export const buildSite = async () => {
  const inputs = await inputsHash()
  if ((await builtInputs()) === inputs) return false
  const draft = `${SITE}.${process.pid}`
  const old = `${SITE}.${process.pid}.old`
  await build(draft, inputs)
  // Safe to run concurrently: the folder is replaced atomically
  await rename(SITE, old).catch(() => undefined)
  await rename(draft, SITE).catch(() => rm(draft, { recursive: true }))
  await rm(old, { recursive: true, force: true })
  return true
}

if (import.meta.main)
  console.log((await buildSite()) ? `Built the documentation into ${SITE}` : "The documentation is built already")
