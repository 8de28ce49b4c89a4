import { Command } from "@effect/cli"
import { Console } from "effect"
import { withServices } from "./services.ts"

/** Starting the services migrates; the command exists so that a deployment can do it once, before any replica. */
export const migrateCommand = Command.make("migrate", {}, () =>
  withServices(Console.log("The database is up to date."))
).pipe(Command.withDescription("Bring the database's schema up to date"))
