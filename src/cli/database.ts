import { Args, Command } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Effect } from "effect"
import { ProvisioningRejected } from "../services/provisioning/entry.ts"
import { Provisioning } from "../services/provisioning/Provisioning.ts"
import { withServices } from "./services.ts"

/** Starting the services migrates; the command exists so that a deployment can do it once, before any replica. */
export const migrateCommand = Command.make("migrate", {}, () =>
  withServices(Console.log("The database is up to date."))
).pipe(Command.withDescription("Bring the database's schema up to date"))

const provision = (path: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const text = yield* files.readFileString(path)
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => new ProvisioningRejected({ faults: [`${path}: is not well-formed JSON`] })
    })
    yield* Effect.flatMap(Provisioning, ({ apply }) => apply(json))
    yield* Console.log(`Applied ${path}.`)
  })

export const provisionCommand = Command.make("provision", { file: Args.file({ name: "FILE" }) }, ({ file }) =>
  withServices(provision(file))
).pipe(Command.withDescription("Apply a provisioning file: all of it or nothing"))
