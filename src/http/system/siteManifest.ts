import { join } from "node:path"
import { ROOT } from "../../paths.ts"

/** Where `bun run build` writes the documentation; not in the repository. */
export const SITE = join(ROOT, "dist/site")
export const SITE_MANIFEST = join(SITE, "manifest.json")

/** The OpenAPI documents, which take too long to make for a start of the service: of everything, and of the pharmacies' part. */
export const documents = { whole: "openapi.json", pharmacy: "openapi-pharmacy.json" } as const

export interface SiteManifest {
  /** hash of everything that the site was built from: with the same one there is nothing to build */
  readonly inputs: string
  /** files below `assets`, named by their content */
  readonly assets: ReadonlyArray<string>
  /** files below `downloads` */
  readonly downloads: ReadonlyArray<string>
}
