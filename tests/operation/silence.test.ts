/** A database host that stops responding: its connections are closed, and the work is retried on other ones. */
import { expect, test } from "bun:test"
import type { PoolClient } from "pg"
import { ServicePool } from "../../src/layers/postgres/ServicePool.ts"
import { isTransientCause } from "../../src/services/database/SqlErrors.ts"
import { single } from "../../src/services/database/Topology.ts"
import { freshDatabase } from "../support/postgres.ts"
import { relay, throughPort, toDatabase } from "../support/relay.ts"
import { migrated } from "../support/server.ts"

/** Queries by callback, like Effect's client. */
const request = (client: Pick<PoolClient, "query">, text: string) =>
  new Promise<ReadonlyArray<unknown>>((resolve, reject) =>
    client.query(text, [], (error, result) => (error ? reject(error) : resolve(result.rows)))
  )

test("a silent database connection is closed after a timeout, its statement fails as transient, and the next one succeeds", async () => {
  const { url, drop } = await freshDatabase(migrated)
  let silent = false
  // connections remain open
  const { port, stop } = await relay(toDatabase(url), (from, to) => {
    from.on("data", (piece) => {
      if (!silent) to.write(piece)
    })
    from.on("close", () => to.destroy())
  })
  const pool = new ServicePool(
    { connectionString: throughPort(url, port), max: 2 },
    { waitingMax: 10, prepareStatements: true, silenceMillis: 300, topology: single }
  )
  pool.on("error", () => undefined)
  const held = await pool.connect()
  held.on("error", () => undefined)
  expect(await request(held, "SELECT 1 AS one")).toEqual([{ one: 1 }])
  // an idle connection may be silent indefinitely
  silent = true
  const failure = await request(held, "SELECT 2 AS two").then(
    () => undefined,
    (error) => error
  )
  held.release(true)
  silent = false
  expect(isTransientCause(failure)).toBe(true)
  const next = await pool.connect()
  expect(await request(next, "SELECT 3 AS three")).toEqual([{ three: 3 }])
  next.release()
  await pool.end()
  stop()
  await drop()
})
