import { join } from "node:path"
import { Effect, Schema } from "effect"
import { type AssetName, BUILT, MANIFEST, Manifest } from "../../../pages/manifest.ts"

type Encoding = "br" | "gzip"

/** One file that browsers load, with its compressed forms. */
export interface Asset {
  readonly file: string
  readonly contentType: string
  readonly integrity: string
  readonly etag: string
  readonly plain: Uint8Array
  readonly compressed: Readonly<Record<Encoding, Uint8Array>>
}

const read = (file: string) => Effect.promise(() => Bun.file(join(BUILT, file)).bytes())

const readManifest = Effect.tryPromise(() => Bun.file(MANIFEST).text()).pipe(
  Effect.flatMap(Schema.decode(Schema.parseJson(Manifest))),
  Effect.orDieWith((cause) => new Error("The pages are not built. Run: bun run build:pages", { cause }))
)

/** The pages' stylesheet and scripts, as `bun run build:pages` left them. */
export class Assets extends Effect.Service<Assets>()("hosted/Assets", {
  effect: Effect.gen(function* () {
    const { assets: built } = yield* readManifest
    const assets = yield* Effect.forEach(Object.values(built), ({ file, contentType, integrity }) =>
      Effect.map(
        Effect.all([read(file), read(`${file}.gz`), read(`${file}.br`)]),
        ([plain, gzip, br]): Asset => ({
          file,
          contentType,
          integrity,
          etag: `"${integrity.slice(-16)}"`,
          plain,
          compressed: { gzip, br }
        })
      )
    )
    const byFile = new Map(assets.map((asset) => [asset.file, asset]))
    return {
      /** The file of that name, or undefined. */
      find: (file: string) => byFile.get(file),
      /** The file of a page, and its hash for the browser. */
      of: (name: AssetName) => built[name]
    } as const
  })
}) {}
