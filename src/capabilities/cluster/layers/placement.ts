/** Placement of an organisation's shard on a cluster, and moving it: docs/scaling.md. */
import { SqlClient } from "@effect/sql"
import { Data, Effect, Fiber, Schedule, Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { DatabaseSessions } from "../../../services/database/DatabaseSessions.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { asLogin } from "../../../services/tenancy/Tenancy.ts"
import { ensureCluster } from "./distribute.ts"

/** No organisation or pharmacy has this uid. */
export class OwnerUnknown extends Data.TaggedError("OwnerUnknown")<{ readonly uid: string }> {
  override get message() {
    return `${this.uid} is no organisation and no pharmacy of this installation`
  }
}

/** The cluster has no such node. */
export class NodeUnknown extends Data.TaggedError("NodeUnknown")<{ readonly host: string; readonly port: number }> {
  override get message() {
    return `${this.host}:${this.port} is no node of this cluster; SELECT nodename, nodeport FROM pg_dist_node names them`
  }
}

/**
 * The login is not a superuser: a move would lose the rows that row-level security hides from it, and it may not exempt the
 * cluster's replication roles from row-level security. Nothing was changed.
 */
export class RowsHidden extends Data.TaggedError("RowsHidden")<{ readonly login: string }> {
  override get message() {
    return `${this.login} is no superuser: it may be bound by row-level security, and cannot let replication pass it. Run this with a DATABASE_URL of a superuser.`
  }
}

const Login = Schema.Struct({ login: Schema.String, superuser: Schema.Boolean })
const logins = rowsOf(Login)

const ensureSeesAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { login, superuser } = yield* asLogin(
    logins.one(sql`SELECT rolname AS login, rolsuper AS superuser FROM pg_roles WHERE rolname = session_user`)
  )
  if (!superuser) return yield* new RowsHidden({ login })
})

const Place = Schema.Struct({
  shard: Schema.Number,
  node: Schema.String,
  node_id: Schema.Number,
  others: Schema.Number
})
const Node = Schema.Struct({ node_id: Schema.Number })
const Share = Schema.Struct({ node: Schema.String, shards: Schema.Number })
const Refusal = Schema.Struct({ node_id: Schema.Number, result: Schema.NullOr(Schema.String) })
const Moved = Schema.Struct({ moved: Schema.Number, bytes: Schema.Number })

/** The owner's shard, its node, and the number of other owners in it. */
export const placeOf = Effect.fnUntraced(function* (uid: OrganisationUid) {
  const sql = yield* SqlClient.SqlClient
  const owner = sql`SELECT organisation_uid AS uid FROM organisations UNION ALL SELECT pharmacy_uid FROM pharmacies`
  const shardOf = sql.literal("get_shard_id_for_distribution_column('admins', uid)")
  return yield* rowsOf(Place).firstOr(
    sql`WITH own AS MATERIALIZED (SELECT ${shardOf} AS shard FROM (${owner}) o WHERE uid = ${uid})
      SELECT own.shard, n.nodename || ':' || n.nodeport AS node, n.nodeid AS node_id,
        (SELECT count(*) FROM (${owner}) o WHERE ${shardOf} = own.shard AND uid <> ${uid}) AS others
      FROM own JOIN pg_dist_placement p ON p.shardid = own.shard JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'`,
    () => new OwnerUnknown({ uid })
  )
})

/** Progress of the current move: tables moved and bytes copied. */
const progress = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  rowsOf(
    Moved
  ).one(sql`SELECT count(*) FILTER (WHERE progress = 2) AS moved, coalesce(sum(target_shard_size), 0)::bigint AS bytes
    FROM get_rebalance_progress()`)
)

/**
 * During a move Citus replicates writes with temporary roles of its own. Forced row-level security would block them, and the
 * move would never finish, so this exempts them.
 */
const EXEMPT_REPLICATION = `DO $$ DECLARE one text; BEGIN
  PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
  FOR one IN SELECT rolname FROM pg_roles WHERE rolname ~ '^citus_shard_(move|split)_subscription_role_' AND NOT rolbypassrls LOOP
    EXECUTE format('ALTER ROLE %I BYPASSRLS', one);
  END LOOP; END $$`
const allowReplication = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const refused = yield* rowsOf(Refusal).all(
    sql`SELECT nodeid AS node_id, result FROM run_command_on_all_nodes(${EXEMPT_REPLICATION}) WHERE NOT success`
  )
  for (const { node_id, result } of refused)
    yield* Effect.logError(
      `node ${node_id} does not let replication pass row-level security, and the move waits until it does: ${result}`
    )
})

/** Runs a long statement of Citus and reports its progress every two seconds. */
const runWithProgress = Effect.fnUntraced(function* (
  text: string,
  values: ReadonlyArray<string | number>,
  say: (line: string) => Effect.Effect<void>
) {
  const sessions = yield* DatabaseSessions
  const connection = yield* sessions.reserve
  yield* asLogin(connection.executeUnprepared("SET statement_timeout = 0", [], undefined))
  const progressReports = yield* asLogin(Effect.zipRight(allowReplication, progress)).pipe(
    Effect.flatMap(({ moved, bytes }) => say(`${moved} tables moved, ${Math.round(bytes / 1_048_576)} MiB there`)),
    Effect.catchAllCause((cause) => Effect.logWarning("the progress is not known", cause)),
    Effect.schedule(Schedule.spaced("2 seconds")),
    Effect.fork
  )
  yield* asLogin(connection.execute(text, values, undefined)).pipe(Effect.ensuring(Fiber.interrupt(progressReports)))
}, Effect.scoped)

/**
 * Isolates an organisation in its own shard of every table, on its current node. Blocks writes to the old shard: a
 * non-blocking split may never finish in Citus 13 (https://github.com/citusdata/citus/issues/6790). No-op if the shard is its
 * own already. Fails with `NotACluster`, `RowsHidden` and `OwnerUnknown`.
 */
export const isolate = (uid: OrganisationUid, say: (line: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* ensureCluster
    yield* ensureSeesAll
    const before = yield* placeOf(uid)
    if (before.others === 0) return before
    yield* runWithProgress(
      "SELECT isolate_tenant_to_new_shard('admins', $1::text, 'CASCADE', 'block_writes')",
      [uid],
      say
    )
    return yield* placeOf(uid)
  })

/** Moves an organisation's shard, with all other owners in it, to a node, without downtime. Fails like `isolate` and with `NodeUnknown`. */
export const move = (
  uid: OrganisationUid,
  node: { readonly host: string; readonly port: number },
  say: (line: string) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    yield* ensureCluster
    yield* ensureSeesAll
    const sql = yield* SqlClient.SqlClient
    const before = yield* placeOf(uid)
    if (before.node === `${node.host}:${node.port}`) return before
    const to = yield* rowsOf(Node).firstOr(
      sql`SELECT nodeid AS node_id FROM pg_dist_node WHERE noderole = 'primary' AND (nodename, nodeport) = (${node.host}, ${node.port})`,
      () => new NodeUnknown(node)
    )
    yield* runWithProgress(
      "SELECT citus_move_shard_placement($1::bigint, $2::integer, $3::integer)",
      [before.shard, before.node_id, to.node_id],
      say
    )
    return yield* placeOf(uid)
  })

/** Number of shards of each table by node, for all nodes that may have shards. */
const shares = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  rowsOf(Share).all(sql`SELECT n.nodename || ':' || n.nodeport AS node, count(s.shardid) AS shards FROM pg_dist_node n
    LEFT JOIN (pg_dist_placement p JOIN pg_dist_shard s ON s.shardid = p.shardid AND s.logicalrelid = 'admins'::regclass)
      ON p.groupid = n.groupid
    WHERE n.noderole = 'primary' AND n.shouldhaveshards GROUP BY 1 ORDER BY 1`)
)

/**
 * Balances the shards over the nodes, one after the other, without downtime. Fails with `NotACluster` and `RowsHidden`. After
 * an interruption it can be run again.
 */
export const rebalance = (say: (line: string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* ensureCluster
    yield* ensureSeesAll
    yield* runWithProgress("SELECT rebalance_table_shards()", [], say)
    return yield* asLogin(shares)
  })
