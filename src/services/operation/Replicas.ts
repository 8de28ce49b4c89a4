/** The processes of the service, as they report themselves. */
import { hostname } from "node:os"
import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import { Settings } from "../../config.ts"
import { Replica } from "../../schemas/operation/Installation.ts"
import { DAY } from "../../schemas/seconds.ts"
import { version } from "../../version.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"

/** A process reports itself once a minute; without three reports in a row it is gone. */
const GONE_SECONDS = 180

export class Replicas extends Effect.Service<Replicas>()("operation/Replicas", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { role } = yield* Settings
    const uid = crypto.randomUUID()
    const replicas = rowsOf(Replica)

    // real time: of processes, whose clocks are a few seconds apart at most
    const realNow = Effect.map(Clock.currentTimeMillis, (millis) => millis / 1000)

    /** This process is there. Rows of processes that ended without a word are deleted after a day. */
    const report = Effect.flatMap(realNow, (now) =>
      Effect.orDie(sql`WITH gone AS (DELETE FROM replicas WHERE seen_at < to_timestamp(${now - DAY}))
        INSERT INTO replicas (uid, host, role, version, started_at, seen_at)
        VALUES (${uid}, ${hostname()}, ${role}, ${version}, to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (uid) DO UPDATE SET seen_at = excluded.seen_at`)
    )

    /** This process ends. */
    const leave = Effect.orDie(sql`DELETE FROM replicas WHERE uid = ${uid}`)

    const list = Effect.flatMap(realNow, (now) =>
      replicas.all(sql`SELECT ${sql.literal(columnsOf(Replica))} FROM replicas
        WHERE seen_at > to_timestamp(${now - GONE_SECONDS}) ORDER BY started_at, uid`)
    )

    return { report, leave, list } as const
  })
}) {}
