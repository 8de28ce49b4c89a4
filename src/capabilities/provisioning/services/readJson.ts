import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { ProvisioningRejected } from "../../shared/services/provisioning/entry.ts"

/** The JSON of a file. */
export const readJson = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(path)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new ProvisioningRejected({ faults: [`${path}: is not well-formed JSON`] })
  })
})
