import { join } from "node:path"
import { Schema } from "effect"

/** Where `bun run build:pages` writes its files; not in the repository. */
export const BUILT = join(import.meta.dir, "../../dist/pages")
export const MANIFEST = join(BUILT, "manifest.json")

export const AssetName = Schema.Literal("stylesheet", "booking", "appointment", "meeting", "widget")
export type AssetName = typeof AssetName.Type

/** One file that browsers load. Beside it lie its compressed forms, `.gz` and `.br`. */
export const BuiltAsset = Schema.Struct({
  /** named by its content, but for the widget, whose name stands in partners' pages */
  file: Schema.String,
  contentType: Schema.String,
  /** Subresource Integrity: `sha384-…` */
  integrity: Schema.String
})

export const Manifest = Schema.Struct({
  /** hash of everything that the files were built from: with the same one there is nothing to build */
  inputs: Schema.String,
  assets: Schema.Record({ key: AssetName, value: BuiltAsset })
})
