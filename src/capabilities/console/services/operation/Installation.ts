/** Status of the installation: this process, other replicas, the keys in use, mails, disk and backup. */
import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, Either, Metric, MetricState, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Readiness } from "../../../../services/operation/Readiness.ts"
import { Service } from "../../../../services/Service.ts"
import { MasterKeyCanary } from "../../../../services/sealing/MasterKeyCanary.ts"
import { SecretBox } from "../../../../services/sealing/SecretBox.ts"
import { version } from "../../../../version.ts"
import { Replicas } from "../../../shared/services/Replicas.ts"
import { InstallationStatus } from "../../schemas/Installation.ts"
import { messageCounts } from "./messageCounts.ts"

const { mails: Mails, disk: Disk, backup: LogBackup } = InstallationStatus.fields

/** The counter of `services/metrics.ts`. */
const REQUESTS = "sprechstunde_http_requests_total"

/** Requests that this process has answered, and those with a status from 500 on. */
const answered = (): InstallationStatus["errors"] => {
  const counts = Metric.unsafeSnapshot().flatMap(({ metricKey, metricState }) =>
    metricKey.name === REQUESTS && MetricState.isCounterState(metricState)
      ? [
          {
            status: Number(metricKey.tags.find(({ key }) => key === "status")?.value),
            count: Number(metricState.count)
          }
        ]
      : []
  )
  const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0)
  const since = UnixSeconds.make(Math.floor(performance.timeOrigin / 1000)) // real time: the start of the process
  return { failed: sum(counts.filter(({ status }) => status >= 500)), answered: sum(counts), since }
}

export class Installation extends Service<Installation>()("operation/Installation", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { check } = yield* Readiness
    const canary = yield* MasterKeyCanary
    const { key_id } = yield* SecretBox
    const replicas = yield* Replicas
    const versions = rowsOf(Schema.Struct({ postgresql: Schema.String }))
    const counts = rowsOf(Schema.Struct({ key_id: Schema.String, data_keys: Schema.Number }))
    const { smtpUrl, development, fileStore } = yield* Settings
    const clock = yield* DomainClock
    const messages = rowsOf(Mails.pick("waiting", "failed", "last_sent_at"))
    const databases = rowsOf(Disk.pick("database_bytes"))
    const logs = rowsOf(LogBackup)

    const mails = Effect.gen(function* () {
      const sent_by = smtpUrl !== undefined ? "smtp" : development ? "folder" : "nothing"
      const yesterday = (yield* clock.now) - DAY
      const found = yield* messages.one(messageCounts(sql, yesterday, sql`true`))
      return { sent_by, ...found } as const
    })

    /** Of a local file store; null for a bucket, and where it cannot be asked. */
    const filesDisk = Effect.gen(function* () {
      if (!fileStore.startsWith("file:")) return null
      const folder = fileStore.slice("file:".length)
      const at = (path: string) => Effect.tryPromise(() => statfs(path))
      // the folder is made with its first file
      const found = yield* Effect.option(Effect.orElse(at(folder), () => at(dirname(folder))))
      return found._tag === "None"
        ? null
        : { free_bytes: found.value.bavail * found.value.bsize, total_bytes: found.value.blocks * found.value.bsize }
    })

    /** Of the server to which this process is connected: a standby's or a node's of its own. */
    const backup = logs.one(sql`SELECT
        CASE WHEN current_setting('archive_mode') <> 'off' THEN 'archive' WHEN count(s.*) > 0 THEN 'stream' ELSE 'nothing' END AS kept_by,
        CASE WHEN current_setting('archive_mode') <> 'off'
          THEN last_archived_time IS NOT NULL AND last_archived_time >= coalesce(last_failed_time, last_archived_time)
          ELSE coalesce(bool_or(s.active), false) END AS working,
        CASE WHEN current_setting('archive_mode') <> 'off' THEN floor(extract(epoch FROM last_archived_time))::bigint END AS last_at
      FROM pg_stat_archiver LEFT JOIN pg_replication_slots s ON s.slot_type = 'physical'
      GROUP BY last_archived_time, last_failed_time`)

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
        master_key: { key_id, opens: Either.isRight(opened), sealed },
        mails: yield* mails,
        disk: {
          ...(yield* databases.one(sql`SELECT pg_database_size(current_database()) AS database_bytes`)),
          files: yield* filesDisk
        },
        backup: yield* backup,
        errors: answered()
      }
      return found
    })

    return { status } as const
  }),
  dependencies: [MasterKeyCanary.Default, Replicas.Default]
}) {}
