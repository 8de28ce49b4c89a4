import { Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Data, Effect, Option, Schema } from "effect"
import { AuditChain, ExportedLine, type Verified } from "../services/audit/AuditChain.ts"
import { withServices } from "./services.ts"

class ChainBroken extends Data.TaggedError("ChainBroken")<{ readonly verified: Required<Verified> }> {
  override get message() {
    const { fault } = this.verified
    return fault === undefined ? "" : `${fault.owner_uid}: entry ${fault.number} ${fault.reason}`
  }
}

const decodeLine = Schema.decode(Schema.parseJson(ExportedLine))

const readLines = (path: string) =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((files) => files.readFileString(path)),
    Effect.flatMap((text) =>
      Effect.forEach(
        text.split("\n").filter((line) => line !== ""),
        (line) => decodeLine(line)
      )
    )
  )

const printResult = (verified: Verified) =>
  verified.fault === undefined
    ? Console.log(`${verified.entries} entries, chain intact`)
    : new ChainBroken({ verified: { ...verified, fault: verified.fault } })

const file = Options.file("file", { exists: "yes" }).pipe(
  Options.optional,
  Options.withDescription("An export to verify instead of the database")
)
const verify = Command.make("verify", { file }, ({ file }) =>
  withServices(
    Effect.flatMap(AuditChain, (chain) =>
      Option.match(file, {
        onNone: () => chain.verify(),
        onSome: (path) => Effect.flatMap(readLines(path), chain.verifyLines)
      })
    ).pipe(Effect.flatMap(printResult))
  )
).pipe(Command.withDescription("Verify that no entry has been changed, added or taken out; exit code 1 if one has"))

const organisation = Options.text("organisation").pipe(
  Options.optional,
  Options.withDescription("Only the entries of this organisation or pharmacy")
)
const exported = Command.make("export", { organisation }, ({ organisation }) =>
  withServices(
    Effect.flatMap(AuditChain, (chain) =>
      chain.exportLines(Option.getOrUndefined(organisation), (lines) =>
        lines.length === 0 ? Effect.void : Console.log(lines.map((line) => JSON.stringify(line)).join("\n"))
      )
    )
  )
).pipe(Command.withDescription("Print the audit log, one JSON object a line, with what verifies it"))

export const auditCommand = Command.make("audit").pipe(
  Command.withDescription("The audit log"),
  Command.withSubcommands([verify, exported])
)
