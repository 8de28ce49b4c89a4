/** The demo world at the addresses that the README and the banner name. */
import { expect, test } from "bun:test"
import { demo } from "../../src/services/provisioning/demo.ts"
import { ownServer } from "../support/server.ts"

const server = ownServer({ PROVISION_FILE: "" })

test("the demo shop has types to book, and /demo leads to a page with free times", async () => {
  const types = await server.current.api("GET", `/v1/scheduling/appointment-types?shop_uid=${demo.shop}`)
  expect(types).toMatchObject({ status: 200 })
  expect(types.body.data.map(({ uid }: { uid: string }) => uid)).toContain(demo.consultation)
  const link = await server.current.api("GET", "/demo")
  expect(link.status).toBe(303)
  const page = await fetch(link.headers.get("location") ?? "")
  expect(page.status).toBe(200)
  expect(await page.text()).toContain("Sprechstunde")
})
