import { Args, Command, Options } from "@effect/cli"
import { Config, Console, Effect, Option } from "effect"
import { grantLogin } from "../layers/LoginRole.ts"
import { monthTables, partitionByMonth } from "../services/operation/partitions.ts"
import { withServices } from "./services.ts"

/** Building the services migrates; the command lets a deployment do that once, before any replica starts. */
export const migrateCommand = Command.make("migrate", {}, () =>
  withServices(Console.log("The database is up to date."))
).pipe(Command.withDescription("Bring the database's schema up to date"))

export const databaseLoginCommand = Command.make(
  "database-login",
  {
    name: Args.text({ name: "NAME" }).pipe(Args.withDescription("The database user, e.g. sprechstunde_app")),
    http: Options.boolean("http").pipe(
      Options.withDescription("For processes of ROLE=http: no jobs, and no role that sees all tenants")
    ),
    worker: Options.boolean("worker").pipe(
      Options.withDescription("For processes of ROLE=worker: jobs, and no role that sees all tenants")
    )
  },
  ({ http, name, worker }) =>
    withServices(
      Effect.option(Config.redacted("DATABASE_LOGIN_PASSWORD")).pipe(
        Effect.flatMap((given) =>
          grantLogin(name, {
            jobs: !http,
            operator: !http && !worker,
            ...(Option.isSome(given) && { password: given.value })
          })
        ),
        Effect.flatMap((password) =>
          Console.log(password === null ? `${name} has what the service needs.` : `${name} ${password}`)
        )
      )
    )
).pipe(
  Command.withDescription(
    "Make a database user for the service that owns no tables, with the password in DATABASE_LOGIN_PASSWORD or one that is printed this once; run as the owner, after migrate"
  )
)

export const partitionCommand = Command.make(
  "partition",
  {
    table: Args.choice(
      monthTables.map((name) => [name, name] as const),
      { name: "TABLE" }
    )
  },
  ({ table }) =>
    withServices(
      Effect.flatMap(partitionByMonth(table), (divided) =>
        Console.log(divided ? `${table} is divided by month.` : `${table} was divided by month before.`)
      )
    )
).pipe(
  Command.withDescription(
    "Divide a large table by month, so that what is over is dropped and not deleted; run as the owner, the table waits meanwhile"
  )
)
