import { expect, test } from "bun:test"
import { startServer, testServer } from "../support/server.ts"

const server = testServer()

test("health and documents know GET alone, with or without a slash at the end", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/"]) {
    const told = await server.current.api("POST", path)
    expect([told.status, told.headers.get("allow"), told.body.code], path).toEqual([405, "GET", "method_not_allowed"])
  }
})

test("a worker answers in the one envelope too, and claims no route of the interface", async () => {
  const worker = await startServer({ ROLE: "worker" })
  expect(await worker.api("POST", "/healthz")).toMatchObject({ status: 405, body: { code: "method_not_allowed" } })
  for (const path of ["/nope", "/openapi.json", "/v1/scheduling/slots/search"])
    expect(await worker.api("GET", path), path).toMatchObject({ status: 404, body: { code: "unknown_route" } })
  await worker.stop()
})
