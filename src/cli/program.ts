/** The operator's commands, run by the process or by tests. */
import { Command, ValidationError } from "@effect/cli"
import { BunContext } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer, Record } from "effect"
import { installed } from "../capabilities/index.ts"
import { SettingsLive } from "../config.ts"
import { addedCommand, Capabilities, commandGroup, type Declarations } from "../declarations.ts"
import { selected } from "../layers/Capabilities.ts"
import { explain } from "../layers/explain.ts"
import { CommandLogging } from "../layers/Telemetry.ts"
import { build } from "../version.ts"
import { commandOf } from "./added.ts"

/** Building the services migrates; the command lets a deployment do that once, before any replica starts. */
const migrateCommand = addedCommand({
  name: "migrate",
  description: "Bring the database's schema up to date",
  run: () => Effect.succeed("The database is up to date.")
})

/** Groups of commands that capabilities alone add to. */
const groups = {
  import: "Bring over types, doctors, hours, days off, patients and future appointments from other programs",
  organisations: "Organisations of this installation",
  patients: "What patients may ask for about their data"
} as const

const programOf = (on: ReadonlyArray<Declarations>) => {
  const added = on.flatMap(({ commands }) => commands)
  const below = (name: (typeof added)[number]["group"]) => added.filter(({ group }) => group === name)
  const grouped = Record.keys(groups).flatMap((name) => {
    const some = below(name)
    return some.length === 0 ? [] : [commandGroup({ name, description: groups[name], below: some })]
  })
  const cli = Command.make("cli").pipe(
    Command.withDescription(
      "Operates a Sprechstunde installation; settings come from the environment, as the server's do"
    ),
    Command.withSubcommands([commandOf(migrateCommand), ...[...grouped, ...below(undefined)].map(commandOf)])
  )

  return Command.run(cli, { name: "sprechstunde", version: build })
}

const main = (args: ReadonlyArray<string>) =>
  Effect.flatMap(selected(installed), (on) =>
    Effect.provideService(programOf(on)(args), Capabilities, { installed, on })
  )

// Errors of the arguments have been printed already
const printError = (error: unknown) =>
  ValidationError.isValidationError(error) ? Effect.void : Console.error(explain(Cause.fail(error)))

/** Runs a command with its arguments, without the program's name. Prints errors, then fails. */
export const runCommand = (args: ReadonlyArray<string>) =>
  main(["bun", "cli", ...args]).pipe(
    Effect.provide(Layer.provideMerge(CommandLogging, Layer.mergeAll(SettingsLive, BunContext.layer))),
    Effect.tapError(printError),
    Effect.tapDefect((cause) => Console.error(Cause.pretty(cause)))
  )
