import { join } from "node:path"
import { Schema } from "effect"
import { ROOT } from "../paths.ts"

/** Where `bun run build` writes its files; not in the repository. */
export const BUILT = join(ROOT, "dist/pages")
export const MANIFEST = join(BUILT, "manifest.json")

/** A file that browsers load. Its compressed forms, `.gz` and `.br`, are beside it. */
export const BuiltAsset = Schema.Struct({
  /** contains a content hash, except for the widget, whose name is in partners' pages */
  file: Schema.String,
  contentType: Schema.String,
  /** Subresource Integrity: `sha384-…` */
  integrity: Schema.String
})

export const Manifest = Schema.Struct({
  /** hash of all inputs of the build: if it is unchanged there is nothing to build */
  inputs: Schema.String,
  assets: Schema.Record({ key: Schema.String, value: BuiltAsset })
})
