/** Applies pending migrations, in order of their names. */
import { createHash } from "node:crypto"
import { SqlClient, SqlError } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { Data, Effect, Layer, Predicate, Schedule } from "effect"
import { Capabilities, type Migration } from "../declarations.ts"
import { DatabaseSessions } from "../services/database/DatabaseSessions.ts"
import { isTransient, sqlStateOf } from "../services/database/SqlErrors.ts"
import { statementsOf } from "../services/database/scripts.ts"
import { asLogin } from "../services/tenancy/Tenancy.ts"
import { makeJobFunctions } from "./jobFunctions.ts"
import { migrations as ofCore } from "./migrations/index.ts"

/** A migration failed. Earlier ones stay applied; a migration in a transaction is rolled back. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly migration: string
  readonly reason: string
}> {
  override get message() {
    return `Migration ${this.migration}: ${this.reason}`
  }
}

const TABLE = "sprechstunde_migrations"
const LOCK = "SELECT pg_try_advisory_lock(hashtextextended('sprechstunde/migrations', 0)) AS locked"
const UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('sprechstunde/migrations', 0))"

/**
 * A statement that waits for a table lock blocks all later statements on that table. So it times out, which lets them
 * proceed, and retries.
 */
const LOCK_TIMEOUT = "3s"
const LOCK_NOT_AVAILABLE = "55P03"
const DEADLOCK = "40P01"
const retryLocked = Schedule.spaced("1 second").pipe(Schedule.jittered, Schedule.upTo("10 minutes"))
const isLocked = (error: unknown) => [LOCK_NOT_AVAILABLE, DEADLOCK].includes(sqlStateOf(error) ?? "")

const hashes = new Map<string, string>()
/** Hash of the statements without comments, which may change. Memoised, since every start-up compares all. */
const hashOf = (text: string) => {
  const known = hashes.get(text)
  if (known !== undefined) return known
  const made = createHash("sha256").update(statementsOf(text).join(";\n")).digest("hex")
  hashes.set(text, made)
  return made
}
const isOutsideTransaction = (text: string) => /^-- transaction: none\s*$/m.test(text.split("\n", 1)[0] ?? "")

const reasonOf = ({ cause, message }: SqlError.SqlError) =>
  Predicate.hasProperty(cause, "message") ? String(cause.message) : message

const locked = (name: string) => (error: SqlError.SqlError) =>
  isLocked(error)
    ? Effect.logWarning(`migration ${name} waits for a lock that a transaction holds; it tries again`)
    : Effect.void

/** Runs in one transaction with the migration's row, on whose insert a concurrent process waits, then skips the migration. */
const inTransaction = Effect.fnUntraced(function* ({ name, text }: Migration) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`)
        yield* sql.unsafe("SET LOCAL statement_timeout = 0")
        const mine = yield* sql`INSERT INTO ${sql(TABLE)} (name, sha256) VALUES (${name}, ${hashOf(text)})
          ON CONFLICT DO NOTHING RETURNING name`
        if (mine.length > 0) yield* Effect.forEach(statementsOf(text), (statement) => sql.unsafe(statement))
        return mine.length > 0
      })
    )
    .pipe(
      // withTransaction turns failures of BEGIN and COMMIT into defects
      Effect.catchAllDefect((defect) =>
        defect instanceof SqlError.SqlError ? Effect.fail(defect) : Effect.die(defect)
      ),
      Effect.tapErrorTag("SqlError", locked(name)),
      Effect.retry({ while: isLocked, schedule: retryLocked })
    )
})

/**
 * Runs in one session with an advisory lock, which is polled: CREATE INDEX CONCURRENTLY would wait for a session that waits
 * for the lock within a statement.
 */
const outsideTransaction = Effect.fnUntraced(function* ({ name, text }: Migration) {
  const sessions = yield* DatabaseSessions
  const connection = yield* sessions.reserve
  const run = (statement: string) => connection.execute(statement, [], undefined)
  // If this fails the session is lost, which releases its lock
  yield* Effect.acquireRelease(lock(connection), () =>
    Effect.catchAll(Effect.forEach([UNLOCK, "RESET lock_timeout", "RESET statement_timeout"], run), (error) =>
      Effect.logWarning("the session of a migration ended badly", error)
    )
  )
  yield* run(`SET lock_timeout = '${LOCK_TIMEOUT}'`)
  yield* run("SET statement_timeout = 0")
  const done = yield* connection.execute(`SELECT FROM ${TABLE} WHERE name = $1`, [name], undefined)
  if (done.length > 0) return false
  yield* Effect.forEach(statementsOf(text), run).pipe(
    Effect.tapError(locked(name)),
    Effect.retry({ while: isLocked, schedule: retryLocked })
  )
  yield* connection.execute(`INSERT INTO ${TABLE} (name, sha256) VALUES ($1, $2)`, [name, hashOf(text)], undefined)
  return true
}, Effect.scoped)

const lock = (connection: Connection) =>
  connection.execute(LOCK, [], undefined).pipe(
    Effect.map(([row]) => row?.locked === true),
    Effect.repeat({ until: (held) => held, schedule: Schedule.spaced("500 millis") })
  )

const apply = (
  migration: Migration
): Effect.Effect<boolean, MigrationFailed, SqlClient.SqlClient | DatabaseSessions> => {
  const failed = (error: SqlError.SqlError) =>
    new MigrationFailed({ migration: migration.name, reason: reasonOf(error) })
  return isOutsideTransaction(migration.text)
    ? Effect.mapError(outsideTransaction(migration), failed)
    : Effect.mapError(inTransaction(migration), failed)
}

/** SQLSTATEs of concurrent CREATE TABLE IF NOT EXISTS: the table exists after all. */
const ALREADY_EXISTS = ["23505", "42710", "42P07"]

const createTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql`SELECT to_regclass(${TABLE}) IS NOT NULL`.values
  if (known?.[0] === true) return
  yield* sql`CREATE TABLE IF NOT EXISTS ${sql(TABLE)} (name text PRIMARY KEY, sha256 text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now())`
}).pipe(Effect.retry({ times: 3, while: (error) => ALREADY_EXISTS.includes(sqlStateOf(error) ?? "") }))

const appliedMigrations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT name, sha256 FROM ${sql(TABLE)}`.values
  return new Map(rows.map(([name, sha256]) => [String(name), String(sha256)]))
})

/** All migrations of this build: the core's, then those of each capability, on or off. */
const allMigrations = Effect.map(Capabilities, ({ installed }) => [
  ...ofCore,
  ...installed.flatMap(({ migrations }) => migrations)
])

/**
 * Applies pending migrations and returns the names of those applied by this process. Safe to run concurrently: each
 * migration is applied once. Fails with `MigrationFailed`.
 */
export const migrate = Effect.fn("migrate")(function* (known: ReadonlyArray<Migration>) {
  yield* createTable
  const noted = yield* appliedMigrations
  const applied: Array<string> = []
  for (const migration of known) {
    const { name, text } = migration
    const hash = noted.get(name)
    if (hash !== undefined && hash !== hashOf(text))
      return yield* new MigrationFailed({
        migration: name,
        reason: "its text has changed since it was applied here. Add a new migration, or start with an empty database"
      })
    if (hash !== undefined) continue
    const mine = yield* apply(migration)
    if (mine) applied.push(name)
  }
  return applied
})

/** Whether all migrations of this build are applied. Further ones, of a later build, are compatible. */
export const isCurrent = Effect.zipWith(appliedMigrations, allMigrations, (noted, migrations) =>
  migrations.every(({ name }) => noted.has(name))
)

/** Runs in one process at a time. */
const alone = <A, E, R>(preparing: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        // Processes that start together wait for each other, each up to seconds on a busy machine: more than a statement's time-outs
        yield* sql`SET LOCAL lock_timeout = 0`
        yield* sql`SET LOCAL statement_timeout = 0`
        yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('sprechstunde/tables', 0))`
        yield* sql`SET LOCAL lock_timeout TO DEFAULT`
        return yield* preparing
      })
    )
  )

const addPartitions = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT audit_partitions(), add_months()`)

/**
 * Idempotent set-up of all tables, including those of new migrations: row-level security and its roles, triggers, and partitions of the
 * audit log and of tables by month. Partitions are added months ahead, so a process starts also while a node is away and they
 * cannot be added.
 */
const prepareTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* alone(Effect.zipRight(sql`SELECT separate_tenants(), audit_writes()`, makeJobFunctions))
  yield* Effect.catchIf(alone(addPartitions), isTransient, (error) =>
    Effect.logWarning("Partitions of the next months are added by a later start", error)
  )
})

/** Whether the database's user owns the tables; true before they exist. */
const isOwner = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(${TABLE})`.values
  return rows[0]?.[0] !== false
})

/** The owner may not create the roles that the migrations need, or is not a member of existing ones. */
export class OwnerLacksRoles extends Data.TaggedError("OwnerLacksRoles")<{
  readonly user: string
  readonly roles: ReadonlyArray<string>
}> {
  override get message() {
    return `DATABASE_URL: the database user ${this.user} may not create the roles ${this.roles.join(", ")}, or is not their member. As an administrator either run ALTER ROLE "${this.user}" CREATEROLE, or create and grant them with the statements of docs/operating.md, "Database roles". Nothing was changed`
  }
}

const ROLES = ["service", "worker", "search", "operator"].map((name) => `sprechstunde_${name}`)

const ensureRoles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT current_user::text, needed FROM unnest(${ROLES}::text[]) AS needed
    LEFT JOIN pg_roles r ON r.rolname = needed
    JOIN pg_roles own ON own.rolname = current_user AND NOT own.rolsuper
    WHERE CASE WHEN r.oid IS NULL THEN NOT own.rolcreaterole
      ELSE NOT pg_has_role(current_user, r.oid, 'MEMBER') AND NOT own.rolcreaterole END`.values
  const [first] = rows
  if (first === undefined) return
  return yield* new OwnerLacksRoles({ user: String(first[0]), roles: rows.map(([, role]) => String(role)) })
})

/** For a login that does not own the tables: fails with `MigrationFailed` unless the owner has migrated. */
const ensureMigrated = Effect.gen(function* () {
  const noted = yield* appliedMigrations
  const missing = (yield* allMigrations).find(({ name }) => !noted.has(name))
  if (missing !== undefined)
    return yield* new MigrationFailed({
      migration: missing.name,
      reason: "is not applied, and this database user does not own the tables: run `cli migrate` as their owner first"
    })
  yield* addPartitions
  return []
})

export const MigratedLive = Layer.effectDiscard(
  Effect.if(isOwner, {
    onTrue: () => Effect.zipRight(ensureRoles, Effect.zipLeft(Effect.flatMap(allMigrations, migrate), prepareTables)),
    onFalse: () => ensureMigrated
  }).pipe(
    Effect.flatMap((applied) =>
      applied.length === 0 ? Effect.void : Effect.logInfo(`applied ${applied.length} migrations`)
    ),
    asLogin
  )
)
