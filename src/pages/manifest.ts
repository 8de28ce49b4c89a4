import { join } from "node:path"
import { Schema } from "effect"
import { ROOT } from "../paths.ts"
import { languages } from "../texts/language.ts"

/** Where `bun run build` writes its files; not in the repository. */
export const BUILT = join(ROOT, "dist/pages")
export const MANIFEST = join(BUILT, "manifest.json")

const bundles = ["stylesheet", "booking", "appointment", "meeting", "widget", "console", "console-stylesheet"] as const

/** A bundle, or the texts that the meeting page loads when another language is chosen during a call. */
export const AssetName = Schema.Literal(...bundles, ...languages.map((language) => `texts-${language}` as const))
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
