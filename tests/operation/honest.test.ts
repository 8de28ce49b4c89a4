/** What honest crowds do, in a short form: `bun run bench:honest` runs the whole. None is refused in a way that the specification does not name. */
import { expect, test } from "bun:test"
import { crowds, outcomeOf } from "../../bench/honest/crowds.ts"
import { honestSettings, installationOf } from "../../bench/honest/installation.ts"
import { ownServer } from "../support/server.ts"

const server = ownServer(honestSettings) // one crowd moves the time

test.each(crowds)("$name", async (crowd) => {
  const { requests, refusals } = await outcomeOf(crowd, crowd.size.test, installationOf(server.current))
  expect(requests).toBeGreaterThan(0)
  expect(refusals).toEqual({})
})
