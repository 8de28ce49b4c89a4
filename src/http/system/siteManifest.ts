import { join } from "node:path"

/** Where `bun run build:site` writes the documentation; not in the repository. */
export const SITE = join(import.meta.dir, "../../../dist/site")
export const SITE_MANIFEST = join(SITE, "manifest.json")

export interface SiteManifest {
  /** hash of everything that the site was built from: with the same one there is nothing to build */
  readonly inputs: string
  /** files below `assets`, named by their content */
  readonly assets: ReadonlyArray<string>
  /** files below `downloads` */
  readonly downloads: ReadonlyArray<string>
}
