/** The command of the audit log: verifies its chains, or an export, and prints them. Rules 13.2.2 and 13.2.3. */
import { FileSystem } from "@effect/platform"
import { Console, Data, Effect, Schema } from "effect"
import { addedCommand, commandGroup } from "../../../declarations.ts"
import { AuditChain, ExportedLine, type Verified } from "./AuditChain.ts"

class ChainBroken extends Data.TaggedError("ChainBroken")<{ readonly fault: NonNullable<Verified["fault"]> }> {
  override get message() {
    const { owner_uid, number, reason } = this.fault
    return `${owner_uid}: entry ${number} ${reason}`
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

const verify = addedCommand({
  name: "verify",
  description: "Verify that no entry has been changed, added or taken out; exit code 1 if one has",
  options: {
    file: { description: "An export to verify instead of the database", schema: Schema.String, isOptional: true }
  },
  run: ({ file }) =>
    Effect.flatMap(AuditChain, (chain) =>
      file === undefined ? chain.verify() : Effect.flatMap(readLines(file), chain.verifyLines)
    ).pipe(
      Effect.flatMap(({ entries, fault }) =>
        fault === undefined ? Effect.succeed(`${entries} entries, chain intact`) : new ChainBroken({ fault })
      ),
      Effect.provide(AuditChain.Default)
    )
})

const exported = addedCommand({
  name: "export",
  description: "Print the audit log, one JSON object a line, with what verifies it",
  options: {
    organisation: {
      description: "Only the entries of this organisation or pharmacy",
      schema: Schema.String,
      isOptional: true
    }
  },
  run: ({ organisation }) =>
    Effect.flatMap(AuditChain, (chain) =>
      chain.exportLines(organisation, (lines) =>
        lines.length === 0 ? Effect.void : Console.log(lines.map((line) => JSON.stringify(line)).join("\n"))
      )
    ).pipe(Effect.provide(AuditChain.Default))
})

export const auditCommand = commandGroup({ name: "audit", description: "The audit log", below: [verify, exported] })
