/** The operator's command line, over the same services as the server: `bun run cli --help`. */
import { Command } from "@effect/cli"
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Effect, Layer, Logger } from "effect"
import { migrateCommand, provisionCommand } from "./cli/database.ts"
import { bookingTokenCommand, idpCommand } from "./cli/tokens.ts"
import { SettingsLive } from "./config.ts"

const cli = Command.make("cli").pipe(
  Command.withDescription(
    "Operates a Sprechstunde installation; settings come from the environment, as the server's do"
  ),
  Command.withSubcommands([migrateCommand, provisionCommand, idpCommand, bookingTokenCommand])
)

const main = Command.run(cli, { name: "sprechstunde", version: "0.1.0" })

// What a command prints is its result: logs go to standard error, out of a pipe's way.
main(["bun", "cli", ...process.argv.slice(2)]).pipe(
  Effect.provide(Layer.mergeAll(SettingsLive, BunContext.layer)),
  Effect.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))),
  (program) => BunRuntime.runMain(program, { disablePrettyLogger: true })
)
