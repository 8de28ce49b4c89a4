/** PostgreSQL on the service's own machine: an embedded server where DATABASE_URL is not set, and backups. Section 15.3. */
import { capability } from "../../capability.ts"
import { embeddedPostgres, embeddedPostgresShared } from "./layers/EmbeddedPostgres.ts"
import { backupCommand, restoreCommand } from "./services/backupCommands.ts"

export const postgresCapability = capability({
  name: "postgres",
  switched: false,
  database: { owned: embeddedPostgres, shared: embeddedPostgresShared },
  commands: [backupCommand, restoreCommand]
})
