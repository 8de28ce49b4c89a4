/** A database host that stops responding: its connections are closed, and the work is retried on other ones. */
import { expect, test } from "bun:test"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { PoolClient } from "pg"
import { ServicePool } from "../../src/layers/postgres/ServicePool.ts"
import { isTransientCause } from "../../src/services/database/SqlErrors.ts"
import { freshDatabase } from "../support/postgres.ts"
import { migrated } from "../support/server.ts"

/** Queries by callback, like Effect's client. */
const request = (client: Pick<PoolClient, "query">, text: string) =>
  new Promise<ReadonlyArray<unknown>>((resolve, reject) =>
    client.query(text, [], (error, result) => (error ? reject(error) : resolve(result.rows)))
  )

test("a silent database connection is closed after a timeout, its statement fails as transient, and the next one succeeds", async () => {
  const { url, drop } = await freshDatabase(migrated)
  const socket = new URL(url).searchParams.get("host")
  let silent = false
  const sides = new Set<Socket>()
  /** Forwards data until it is silenced; connections remain open. */
  const listener = createServer((side) => {
    const other = connect(`${socket}/.s.PGSQL.5432`)
    sides.add(side).add(other)
    for (const [from, to] of [
      [side, other],
      [other, side]
    ] as const) {
      from.on("error", () => undefined)
      from.on("data", (piece) => {
        if (!silent) to.write(piece)
      })
      from.on("close", () => to.destroy())
    }
  })
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening))
  const { port } = listener.address() as AddressInfo // a server that listens on a port has an address of this kind
  const direct = new URL(url)
  direct.searchParams.delete("host")
  direct.port = String(port)
  const pool = new ServicePool(
    { connectionString: direct.href.replace("localhost", "127.0.0.1"), max: 2 },
    { waitingMax: 10, prepareStatements: true, silenceMillis: 300, isCluster: false, nextSeal: () => null }
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
  for (const side of sides) side.destroy()
  listener.close()
  await drop()
})
