/** Status of the installation: this process, other replicas, and the keys in use. */
import { Effect, Either, Schema } from "effect"
import type { InstallationStatus } from "../../schemas/operation/Installation.ts"
import { version } from "../../version.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { MasterKeyCanary } from "../sealing/MasterKeyCanary.ts"
import { SecretBox } from "../sealing/SecretBox.ts"
import { Readiness } from "./Readiness.ts"
import { Replicas } from "./Replicas.ts"

export class Installation extends Effect.Service<Installation>()("operation/Installation", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { check } = yield* Readiness
    const canary = yield* MasterKeyCanary
    const { key_id } = yield* SecretBox
    const replicas = yield* Replicas
    const versions = rowsOf(Schema.Struct({ postgresql: Schema.String }))
    const counts = rowsOf(Schema.Struct({ key_id: Schema.String, data_keys: Schema.Number }))

    const status = Effect.fn("Installation.status")(function* () {
      const readiness = yield* Effect.either(check)
      const opened = yield* Effect.either(canary.open)
      const { postgresql } = yield* versions.one(sql`SELECT current_setting('server_version') AS postgresql`)
      const sealed = yield* counts.all(sql`SELECT
          CASE WHEN wrapped LIKE 'vault:%' THEN substring(wrapped FROM '^vault:v[0-9]+') ELSE split_part(wrapped, '.', 1) END
            AS key_id,
          count(*) AS data_keys
        FROM data_keys GROUP BY 1 ORDER BY 1`)
      const found: InstallationStatus = {
        ready: Either.isRight(readiness),
        reason: Either.match(readiness, { onLeft: (reason) => reason, onRight: () => null }),
        versions: { service: version, bun: Bun.version, postgresql },
        replicas: yield* replicas.list,
        master_key: { key_id, opens: Either.isRight(opened), sealed }
      }
      return found
    })

    return { status } as const
  }),
  dependencies: [MasterKeyCanary.Default, Replicas.Default]
}) {}
