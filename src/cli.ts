/** The operator's command line, over the same services as the server: `bun run cli --help`. */
import { Command, ValidationError } from "@effect/cli"
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { auditCommand } from "./cli/audit.ts"
import { migrateCommand } from "./cli/database.ts"
import { keysCommand } from "./cli/keys.ts"
import { ordersCommand } from "./cli/orders.ts"
import { organisationsCommand } from "./cli/organisations.ts"
import { payoutsCommand } from "./cli/payouts.ts"
import { provisionCommand } from "./cli/provision.ts"
import { secretsCommand } from "./cli/secrets.ts"
import { bookingTokenCommand, idpCommand } from "./cli/tokens.ts"
import { webhooksCommand } from "./cli/webhooks.ts"
import { SettingsLive } from "./config.ts"
import { explain } from "./layers/explain.ts"
import { CommandLogging } from "./layers/Telemetry.ts"
import { version } from "./version.ts"

const cli = Command.make("cli").pipe(
  Command.withDescription(
    "Operates a Sprechstunde installation; settings come from the environment, as the server's do"
  ),
  Command.withSubcommands([
    keysCommand,
    migrateCommand,
    provisionCommand,
    organisationsCommand,
    idpCommand,
    bookingTokenCommand,
    secretsCommand,
    webhooksCommand,
    ordersCommand,
    payoutsCommand,
    auditCommand
  ])
)

const main = Command.run(cli, { name: "sprechstunde", version })

// What is wrong with the arguments has been printed already.
const tell = (error: unknown) =>
  ValidationError.isValidationError(error) ? Effect.void : Console.error(explain(Cause.fail(error)))

main(["bun", "cli", ...process.argv.slice(2)]).pipe(
  Effect.provide(Layer.provideMerge(CommandLogging, Layer.mergeAll(SettingsLive, BunContext.layer))),
  Effect.tapError(tell),
  Effect.tapDefect((cause) => Console.error(Cause.pretty(cause))),
  (program) => BunRuntime.runMain(program, { disablePrettyLogger: true, disableErrorReporting: true })
)
