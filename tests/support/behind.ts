/** Two requests of which one waits in the database while the other is in its transaction. */
import { test } from "bun:test"
import { eventually } from "./eventually.ts"
import { using } from "./postgres.ts"

/** Transactions that wait for this backend, and those that wait for them. */
const WAITING = `WITH RECURSIVE waiting AS (SELECT $1::int AS pid
    UNION SELECT s.pid FROM waiting w JOIN pg_stat_activity s ON w.pid = ANY (pg_blocking_pids(s.pid)))
  SELECT pid || ' ' || xact_start AS transaction FROM waiting JOIN pg_stat_activity USING (pid) WHERE pid <> $1`

/** The first request did not wait until the second came: the machine was slower than the service's longest wait for a lock. */
class OrderLost extends Error {}

const TURNS = 5
/** A test of such requests, which is run again a few times, with records of its own, where their order was lost. */
export const testInOrder = (name: string, body: () => Promise<void>) =>
  test(name, async () => {
    for (let turn = 1; ; turn++)
      try {
        return await body()
      } catch (cause) {
        if (!(cause instanceof OrderLost) || turn === TURNS) throw cause
      }
  })

/**
 * The answers of two requests: the first stops at what this statement locks, and the second is sent then. The lock is free again when the
 * second has its answer, or waits, too. A statement that has waited too long ends, and its transaction is tried again: then `OrderLost`.
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
    /** The transactions that wait when so many requests have stopped or ended. */
    const arrived = (count: number) =>
      eventually(
        async () => {
          // within a transaction PostgreSQL shows its backends as they were at the first look
          await database.query("SELECT pg_stat_clear_snapshot()")
          return (await database.query(WAITING, [own])).rows.map(({ transaction }) => String(transaction))
        },
        ({ length }) => answered + length >= count
      )
    const answer = counted(first())
    const stopped = await arrived(1)
    const other = counted(second())
    const waiting = await arrived(2)
    await database.query("COMMIT")
    const both = [await answer, await other] as const
    if (!stopped.every((transaction) => waiting.includes(transaction))) throw new OrderLost()
    return both
  })
