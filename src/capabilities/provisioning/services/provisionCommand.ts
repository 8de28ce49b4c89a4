import { Data, Effect, JSONSchema, Record, Schema } from "effect"
import { addedCommand, Capabilities } from "../../../declarations.ts"
import { provisioningFile } from "../../shared/schemas/ProvisioningFile.ts"
import { listsOf } from "../../shared/services/provisioning/entry.ts"
import { type ApplyOptions, Provisioning } from "../../shared/services/provisioning/Provisioning.ts"
import { linesOf } from "../../shared/services/provisioning/shownDifferences.ts"
import { readJson } from "./readJson.ts"

class FileNeeded extends Data.TaggedError("FileNeeded") {
  override get message() {
    return "Name a FILE, or one of --example and --schema"
  }
}

const compare = Effect.fnUntraced(function* (path: string, options: ApplyOptions) {
  const comparisons = yield* (yield* Provisioning).compare(yield* readJson(path), options)
  return comparisons.length === 0
    ? `${path} would change nothing.`
    : `${path} would make these differences; nothing has been changed:\n${comparisons.map(linesOf).join("\n")}`
})

const apply = Effect.fnUntraced(function* (path: string, options: ApplyOptions) {
  const { written, unchanged } = yield* (yield* Provisioning).apply(yield* readJson(path), options)
  return `Applied ${path}: ${written} entries written, ${unchanged} unchanged since they were last applied.`
})

const schemaOfFiles = Effect.map(Capabilities, ({ on }) => JSONSchema.make(provisioningFile(listsOf(on))))

/** A whole file to start from, with an entry in every list. */
const exampleOf = (sample: Effect.Effect<object>) =>
  Effect.zipWith(sample, Capabilities, (file, { on }) => ({
    ...file,
    ...Record.map(listsOf(on), ({ example }) => example)
  }))

const example = Effect.flatMap(Capabilities, ({ on }) => {
  const sample = on.find((one) => one.provisioningExample)?.provisioningExample
  return sample === undefined ? new FileNeeded() : exampleOf(sample)
})

const printed = <E, R>(json: Effect.Effect<object, E, R>) => Effect.map(json, (one) => JSON.stringify(one, null, 2))
const flag = (description: string) => ({ description, schema: Schema.Boolean, isFlag: true }) as const

export const provisionCommand = addedCommand({
  name: "provision",
  description: "Apply the entries of a provisioning file that are new or have changed: all of them or none",
  args: { FILE: Schema.UndefinedOr(Schema.String) },
  options: {
    "dry-run": flag("Show the differences, change nothing"),
    reset: flag("Write every entry, also those that have not changed in the file"),
    example: flag("Print a whole file to start from"),
    schema: flag("Print the JSON Schema of files, for editors")
  },
  offline: (given) => {
    if (given.schema) return printed(schemaOfFiles)
    if (given.example) return printed(example)
    return given.FILE === undefined ? new FileNeeded() : undefined
  },
  run: ({ FILE = "", reset, ...given }) =>
    Effect.provide((given["dry-run"] ? compare : apply)(FILE, { reset }), Provisioning.Default)
})
