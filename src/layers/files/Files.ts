/** The file store of FILE_STORE: `file:<folder>`, or an address that a capability knows. */
import { resolve } from "node:path"
import { ConfigError, Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import * as LocalFiles from "./LocalFiles.ts"

export const FilesLive = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { fileArchive, fileStore } = settings
    if (fileStore.startsWith("file:"))
      return LocalFiles.layer(resolve(fileStore.slice("file:".length)), fileArchive && resolve(fileArchive))
    const [found] = (yield* Capabilities).on.flatMap(({ files }) => files(settings) ?? [])
    if (found !== undefined) return found
    return yield* Effect.fail(ConfigError.InvalidData(["FILE_STORE"], "either file:<folder> or s3://bucket/prefix"))
  })
)
