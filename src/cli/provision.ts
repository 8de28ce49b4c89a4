import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Data, Effect, JSONSchema, Option } from "effect"
import { provisioningFile } from "../schemas/provisioning/ProvisioningFile.ts"
import { ProvisioningRejected } from "../services/provisioning/entry.ts"
import { type ApplyOptions, Provisioning } from "../services/provisioning/Provisioning.ts"
import { linesOf } from "../services/provisioning/shownDifferences.ts"
import { withServices } from "./services.ts"

class FileNeeded extends Data.TaggedError("FileNeeded") {
  override get message() {
    return "Name a FILE, or one of --example and --schema"
  }
}

const readJson = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(path)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new ProvisioningRejected({ faults: [`${path}: is not well-formed JSON`] })
  })
})

const compare = Effect.fnUntraced(function* (path: string, options: ApplyOptions) {
  const comparisons = yield* Effect.flatMap(Provisioning, (provisioning) =>
    Effect.flatMap(readJson(path), (json) => provisioning.compare(json, options))
  )
  yield* Console.log(
    comparisons.length === 0
      ? `${path} would change nothing.`
      : `${path} would make these differences; nothing has been changed:\n${comparisons.map(linesOf).join("\n")}`
  )
})

const apply = Effect.fnUntraced(function* (path: string, options: ApplyOptions) {
  const { written, unchanged } = yield* Effect.flatMap(Provisioning, (provisioning) =>
    Effect.flatMap(readJson(path), (json) => provisioning.apply(json, options))
  )
  yield* Console.log(
    `Applied ${path}: ${written} entries written, ${unchanged} unchanged since they were last applied.`
  )
})

const print = (json: unknown) => Console.log(JSON.stringify(json, null, 2))

const flags = {
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Show the differences, change nothing")),
  reset: Options.boolean("reset").pipe(
    Options.withDescription("Write every entry, also those that have not changed in the file")
  ),
  example: Options.boolean("example").pipe(Options.withDescription("Print a whole file to start from")),
  schema: Options.boolean("schema").pipe(Options.withDescription("Print the JSON Schema of files, for editors"))
}

/** `sample`: a whole file to start from; undefined: this installation has none. */
export const provisionCommand = (sample: Effect.Effect<unknown> | undefined) =>
  Command.make(
    "provision",
    { ...flags, file: Args.optional(Args.file({ name: "FILE" })) },
    Effect.fnUntraced(function* ({ dryRun, example, file, reset, schema }) {
      if (schema) return yield* print(JSONSchema.make(provisioningFile()))
      if (example && sample !== undefined) return yield* Effect.flatMap(sample, print)
      if (Option.isNone(file)) return yield* new FileNeeded()
      return yield* withServices((dryRun ? compare : apply)(file.value, { reset }))
    })
  ).pipe(
    Command.withDescription(
      "Apply the entries of a provisioning file that are new or have changed: all of them or none"
    )
  )
