/** Two requests of which one waits in the database while the other is in its transaction. */
import { eventually } from "./eventually.ts"
import { using } from "./postgres.ts"

/** Backends that wait for this one, and those that wait for them. */
const WAITING = `WITH RECURSIVE waiting AS (SELECT $1::int AS pid
    UNION SELECT s.pid FROM waiting w JOIN pg_stat_activity s ON w.pid = ANY (pg_blocking_pids(s.pid)))
  SELECT pid FROM waiting WHERE pid <> $1`

/**
 * The answers of two requests: the first stops at what this statement locks, and the second is sent then. The lock is free again when the
 * second has its answer, or waits, too. A statement that has waited too long ends, and its transaction is tried again: then others wait.
 */
export const oneBehindTheOther = <A, B>(
  databaseUrl: string,
  lock: string,
  first: () => Promise<A>,
  second: () => Promise<B>
) =>
  using(databaseUrl, async (database) => {
    await database.query("BEGIN")
    await database.query(lock)
    const own = (await database.query("SELECT pg_backend_pid() AS pid")).rows[0].pid
    let answered = 0
    const counted = <C>(answer: Promise<C>) => answer.finally(() => answered++)
    /** So many have stopped or ended. */
    const arrived = (count: number) =>
      eventually(
        async () => answered + ((await database.query(WAITING, [own])).rowCount ?? 0),
        (found) => found >= count
      )
    const answer = counted(first())
    await arrived(1)
    const other = counted(second())
    await arrived(2)
    await database.query("COMMIT")
    return [await answer, await other] as const
  })
