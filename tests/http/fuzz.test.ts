/** The fuzzer of the interface in its short form; `bun run fuzz` sends 50,000 requests. */
import { expect, test } from "bun:test"
import { sized } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { fuzz } from "./matrix/fuzzer.ts"

const server = ownServer({ ROLE: "http" })

// Shows: random requests generated from the OpenAPI document
test("every answer has a documented status and a body as its schema says", async () => {
  const { faults } = await fuzz(server.current, { requests: sized(200, 10_000), seed: 1 })
  expect(faults).toEqual([])
})
