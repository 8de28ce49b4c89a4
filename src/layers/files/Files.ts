/** The file store of FILE_STORE: `file:<folder>` or `s3://bucket/prefix`. */
import { resolve } from "node:path"
import { ConfigError, Effect, Layer, Record } from "effect"
import { Settings } from "../../config.ts"
import * as LocalFiles from "./LocalFiles.ts"
import * as S3Files from "./S3Files.ts"

const bucketOf = (address: string) => {
  const { hostname, pathname } = new URL(address)
  return { bucket: hostname, prefix: pathname.replace(/^\/+|\/+$/g, "") }
}

export const FilesLive = Layer.unwrapEffect(
  Effect.flatMap(Settings, ({ fileArchive, fileStore, s3 }) => {
    if (fileStore.startsWith("file:"))
      return Effect.succeed(
        LocalFiles.layer(resolve(fileStore.slice("file:".length)), fileArchive && resolve(fileArchive))
      )
    if (/^s3:\/\/[^/]/.test(fileStore)) {
      const given = Record.filter(s3, (value) => value !== undefined)
      return Effect.succeed(S3Files.layer({ ...bucketOf(fileStore), ...given }))
    }
    return Effect.fail(ConfigError.InvalidData(["FILE_STORE"], "either file:<folder> or s3://bucket/prefix"))
  })
)
