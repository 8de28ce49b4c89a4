import { join } from "node:path"
import { ROOT } from "../../../paths.ts"

/** Output folder of `bun run build`; not in the repository. */
export const SITE = join(ROOT, "dist/site")
export const SITE_MANIFEST = join(SITE, "manifest.json")

/** OpenAPI documents, generated at build time because that takes too long at start-up: the whole API, and the pharmacy API; and the list of pages for machines. */
export const documents = { whole: "openapi.json", pharmacy: "openapi-pharmacy.json", llms: "llms.txt" } as const

/** The file of a page below `pages`. */
export const pageFile = (path: string) => `pages/${path === "" ? "index" : path}.html`

/** The same page as Markdown. */
export const markdownFile = (path: string) => pageFile(path).replace(/html$/, "md")

export interface SiteManifest {
  /** Hash of all inputs of the build, which is skipped if the hash is unchanged. */
  readonly inputs: string
  /** Paths of the pages below `/docs`. */
  readonly pages: ReadonlyArray<string>
  /** Files below `assets`, named by content hash. */
  readonly assets: ReadonlyArray<string>
  /** Files below `downloads`. */
  readonly downloads: ReadonlyArray<string>
}
