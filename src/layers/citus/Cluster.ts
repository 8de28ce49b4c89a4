/** Whether the database is distributed over a cluster (`cli distribute`), and the adapters that it then needs. Read once at start-up. */
import { Context, Effect, Layer } from "effect"
import type { PgBoss } from "pg-boss"
import { Inserts } from "../../services/database/Inserts.ts"
import { DatabaseUrl } from "../Database.ts"
import { firstConnection } from "../postgres/connecting.ts"
import { separateInserts } from "./SeparateInserts.ts"

interface OfCluster {
  readonly isCluster: boolean
  /**
   * A change is on a worker's node and its job on the coordinator: a statement on a table that Citus manages makes both commit in two
   * phases.
   */
  readonly committingJobs: (boss: PgBoss) => PgBoss
}
export class Cluster extends Context.Tag("layers/Cluster")<Cluster, OfCluster>() {}

const inTwoPhases = (boss: PgBoss) => {
  const insert = boss.insert.bind(boss)
  boss.insert = async (queue, jobs, options) => {
    const inserted = await insert(queue, jobs, options)
    await options?.db?.executeSql("UPDATE cluster_commit SET phases = 2 WHERE false", [])
    return inserted
  }
  return boss
}

const isDistributed = Effect.flatMap(DatabaseUrl, (url) =>
  firstConnection("DATABASE_URL", url, async (client) => {
    const { rows } = await client.query(
      "SELECT to_regprocedure('cluster_tenancy(text, text, text, text)') IS NOT NULL AS is"
    )
    return rows[0]?.is === true
  })
)

export const ClusterLive = Layer.unwrapEffect(
  Effect.map(isDistributed, (isCluster) =>
    isCluster
      ? Layer.mergeAll(
          Layer.succeed(Cluster, { isCluster, committingJobs: inTwoPhases }),
          Layer.succeed(Inserts, separateInserts)
        )
      : Layer.succeed(Cluster, { isCluster, committingJobs: (boss) => boss })
  )
)
