/** The command that makes the database user of a deployment. */
import { Config, Effect, Option, Schema } from "effect"
import { addedCommand } from "../../../declarations.ts"
import { grantLogin } from "../../../services/tenancy/LoginRole.ts"

export const databaseLoginCommand = addedCommand({
  name: "database-login",
  description:
    "Make a database user for the service that owns no tables, with the password in DATABASE_LOGIN_PASSWORD or one that is printed this once; run as the owner, after migrate",
  // The database user, e.g. sprechstunde_app
  args: { NAME: Schema.String },
  options: {
    http: {
      description: "For processes of ROLE=http: no jobs, and no role that sees all tenants",
      schema: Schema.Boolean,
      isFlag: true
    },
    worker: {
      description: "For processes of ROLE=worker: jobs, and no role that sees all tenants",
      schema: Schema.Boolean,
      isFlag: true
    }
  },
  run: ({ http, NAME, worker }) =>
    Effect.gen(function* () {
      const given = yield* Effect.option(Config.redacted("DATABASE_LOGIN_PASSWORD"))
      const password = yield* grantLogin(NAME, {
        jobs: !http,
        operator: !http && !worker,
        ...(Option.isSome(given) && { password: given.value })
      })
      return password === null ? `${NAME} has what the service needs.` : `${NAME} ${password}`
    })
})
