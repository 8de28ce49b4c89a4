/** The operator's commands, run by the process or by tests. */
import { Command, ValidationError } from "@effect/cli"
import { BunContext } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { SettingsLive } from "../config.ts"
import { explain } from "../layers/explain.ts"
import { CommandLogging } from "../layers/Telemetry.ts"
import { build } from "../version.ts"
import { auditCommand } from "./audit.ts"
import { backupCommand, restoreCommand } from "./backup.ts"
import {
  databaseLoginCommand,
  distributeCommand,
  migrateCommand,
  partitionCommand,
  rebalanceCommand
} from "./database.ts"
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

const cli = Command.make("cli").pipe(
  Command.withDescription(
    "Operates a Sprechstunde installation; settings come from the environment, as the server's do"
  ),
  Command.withSubcommands([
    keysCommand,
    migrateCommand,
    distributeCommand,
    rebalanceCommand,
    partitionCommand,
    databaseLoginCommand,
    backupCommand,
    restoreCommand,
    provisionCommand,
    organisationsCommand,
    idpCommand,
    bookingTokenCommand,
    secretsCommand,
    webhooksCommand,
    ordersCommand,
    payoutsCommand,
    patientsCommand,
    retentionCommand,
    auditCommand
  ])
)

const main = Command.run(cli, { name: "sprechstunde", version: build })

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
