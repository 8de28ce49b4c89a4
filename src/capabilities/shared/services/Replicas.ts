/** The service's processes, by their own heartbeats. */
import { hostname } from "node:os"
import { Clock, Effect } from "effect"
import { Settings } from "../../../config.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { version } from "../../../version.ts"
import { Replica } from "../schemas/Replica.ts"

/** A process sends a heartbeat once a minute; after three missed ones it counts as gone. */
const GONE_SECONDS = 180

export class Replicas extends Effect.Service<Replicas>()("operation/Replicas", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { role } = yield* Settings
    const uid = crypto.randomUUID()
    const replicas = rowsOf(Replica)

    // real time: processes' clocks differ by a few seconds at most
    const realNow = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1000)

    /** Heartbeat of this process. Deletes rows of crashed processes after a day. */
    const report = Effect.flatMap(realNow, (now) =>
      Effect.orDie(sql`WITH gone AS (DELETE FROM replicas WHERE seen_at < to_timestamp(${now - DAY}))
        INSERT INTO replicas (uid, host, role, version, started_at, seen_at)
        VALUES (${uid}, ${hostname()}, ${role}, ${version}, to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (uid) DO UPDATE SET seen_at = excluded.seen_at`)
    )

    /** Removes this process at shutdown. */
    const leave = Effect.orDie(sql`DELETE FROM replicas WHERE uid = ${uid}`)

    const list = Effect.flatMap(realNow, (now) =>
      replicas.all(sql`SELECT ${sql.literal(columnsOf(Replica))} FROM replicas
        WHERE seen_at > to_timestamp(${now - GONE_SECONDS}) ORDER BY started_at, uid`)
    )

    return { report, leave, list } as const
  })
}) {}
