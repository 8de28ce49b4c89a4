/** Files in a bucket: FILE_STORE of the form `s3://bucket/prefix`. Rule 14.2.12. */
import { Record } from "effect"
import { capability } from "../../capability.ts"
import * as S3Files from "./layers/S3Files.ts"

const bucketOf = (address: string) => {
  const { hostname, pathname } = new URL(address)
  return { bucket: hostname, prefix: pathname.replace(/^\/+|\/+$/g, "") }
}

export const s3Capability = capability({
  name: "s3",
  switched: false,
  files: ({ fileStore, s3 }) =>
    /^s3:\/\/[^/]/.test(fileStore)
      ? S3Files.layer({ ...bucketOf(fileStore), ...Record.filter(s3, (value) => value !== undefined) })
      : undefined
})
