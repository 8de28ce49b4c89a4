/** The operator's commands, run by the process or by tests. */
import { Command, ValidationError } from "@effect/cli"
import { BunContext } from "@effect/platform-bun"
import { Array, Cause, Console, Effect, Layer } from "effect"
import { installed } from "../capabilities/index.ts"
import { SettingsLive } from "../config.ts"
import type { Declarations } from "../declarations.ts"
import { selected } from "../layers/Capabilities.ts"
import { explain } from "../layers/explain.ts"
import { CommandLogging } from "../layers/Telemetry.ts"
import { build } from "../version.ts"
import { commandOf } from "./added.ts"
import { backupCommand, restoreCommand } from "./backup.ts"
import { databaseLoginCommand, migrateCommand, partitionCommand } from "./database.ts"
import { keysCommand } from "./keys.ts"
import { ordersCommand } from "./orders.ts"
import { organisationsCommand } from "./organisations.ts"
import { patientsCommand } from "./patients.ts"
import { payoutsCommand } from "./payouts.ts"
import { provisionCommand } from "./provision.ts"
import { retentionCommand } from "./retention.ts"
import { secretsCommand } from "./secrets.ts"
import { bookingTokenCommand, idpCommand } from "./tokens.ts"
import { webhooksCommand } from "./webhooks.ts"

const importing = Command.make("import").pipe(
  Command.withDescription(
    "Bring over types, doctors, hours, days off, patients and future appointments from other programs"
  )
)

const programOf = (on: ReadonlyArray<Declarations>) => {
  const added = on.flatMap(({ commands }) => commands)
  const below = (name: (typeof added)[number]["group"]) => added.filter(({ group }) => group === name)
  const imports = below("import").map(commandOf)
  const cli = Command.make("cli").pipe(
    Command.withDescription(
      "Operates a Sprechstunde installation; settings come from the environment, as the server's do"
    ),
    Command.withSubcommands([
      keysCommand,
      migrateCommand,
      partitionCommand,
      databaseLoginCommand,
      backupCommand,
      restoreCommand,
      provisionCommand,
      ...(Array.isNonEmptyArray(imports) ? [Command.withSubcommands(importing, imports)] : []),
      organisationsCommand(below("organisations")),
      idpCommand,
      bookingTokenCommand,
      secretsCommand,
      webhooksCommand,
      ordersCommand,
      payoutsCommand,
      patientsCommand(below("patients")),
      retentionCommand,
      ...below(undefined).map(commandOf)
    ])
  )

  return Command.run(cli, { name: "sprechstunde", version: build })
}

const main = (args: ReadonlyArray<string>) => Effect.flatMap(selected(installed), (on) => programOf(on)(args))

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
