import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"

const server = testServer({ RATE_LIMIT_PER_SECOND: "5" })
const ask = (headers: Readonly<Record<string, string>> = {}) =>
  server.current.api("GET", "/v1/scheduling/appointment-types?shop_uid=none", { headers })

test("a flood is refused with 429 and the time to wait; another credential is not its neighbour's keeper", async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask()))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(5)
  expect(refused[0]?.body.code).toBe("too_many_requests")
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
  for (const { headers } of answers) expect(headers.get("ratelimit-limit")).toBe("5")
  const other = await ask({ "x-api-key": "somebody else" })
  expect(other.status).toBe(404)
  expect(other.headers.get("ratelimit-remaining")).toBe("4")
})
