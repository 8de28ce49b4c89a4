/** A caller's share of the database connections. */
import { expect, test } from "bun:test"
import { makeShares } from "../../src/layers/postgres/callerShares.ts"

test("a caller over its share of connections waits in its own bounded queue, and does not delay other callers", () => {
  const { acquire, release } = makeShares({ most: 2, waitingMax: 1, timeoutMillis: 60_000 })
  const seen: Array<string> = []
  const query = (caller: string, name: string) =>
    acquire(
      caller,
      () => seen.push(name),
      (why) => seen.push(`${name} ${why}`)
    )
  for (const name of ["a", "b", "c", "d"]) query("one", name)
  query("other", "e")
  expect(seen).toEqual(["a", "b", "d full", "e"])
  release("one")
  expect(seen.at(-1)).toBe("c")
  release("one")
  release("one")
  for (const name of ["f", "g"]) query("one", name)
  expect(seen.slice(-2)).toEqual(["f", "g"])
})

test("a request that waits too long in that queue is refused, and takes no connection later", async () => {
  const { acquire, release } = makeShares({ most: 1, waitingMax: 2, timeoutMillis: 1 })
  acquire(
    "one",
    () => {},
    () => {}
  )
  const late = await new Promise((resolve) => acquire("one", () => resolve("taken"), resolve))
  expect(late).toBe("timeout")
  release("one")
  const next = await new Promise((resolve) => acquire("one", () => resolve("taken"), resolve))
  expect(next).toBe("taken")
})
