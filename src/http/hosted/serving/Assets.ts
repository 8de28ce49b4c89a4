import { join } from "node:path"
import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { BUILT, MANIFEST, Manifest } from "../../../pages/manifest.ts"
import { constant } from "../../server/compression.ts"

/** A static file. */
export interface Asset {
  readonly file: string
  readonly etag: string
  readonly answer: HttpServerResponse.HttpServerResponse
}

const read = (file: string) => Effect.promise(() => Bun.file(join(BUILT, file)).bytes())

const notBuilt = (cause?: unknown) => new Error("The pages are not built. Run: bun run build", { cause })

const readManifest = Effect.tryPromise(() => Bun.file(MANIFEST).text()).pipe(
  Effect.flatMap(Schema.decode(Schema.parseJson(Manifest))),
  Effect.orDieWith(notBuilt)
)

/** The pages' stylesheet and scripts, built by `bun run build`. */
export class Assets extends Effect.Service<Assets>()("hosted/Assets", {
  effect: Effect.gen(function* () {
    const { assets: built } = yield* readManifest
    const assets = yield* Effect.forEach(Object.values(built), ({ file, contentType, integrity }) =>
      Effect.map(
        Effect.all([read(file), read(`${file}.gz`), read(`${file}.br`)]),
        ([plain, gzip, br]): Asset => ({
          file,
          etag: `"${integrity.slice(-16)}"`,
          answer: constant(HttpServerResponse.uint8Array(plain, { contentType }), { gzip, br })
        })
      )
    )
    const byFile = new Map(assets.map((asset) => [asset.file, asset]))
    return {
      /** The asset with this file name, or undefined. */
      find: (file: string) => byFile.get(file),
      /** File name and integrity hash of an asset. */
      of: (name: string) => {
        const found = built[name]
        if (found === undefined) throw notBuilt()
        return found
      }
    } as const
  })
}) {}
