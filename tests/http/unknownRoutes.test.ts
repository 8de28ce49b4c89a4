import { expect, test } from "bun:test"
import { startServer, type TestServer, testServer } from "../support/server.ts"

const server = testServer()

/** Routes outside of the documented API. */
const beside: ReadonlyArray<readonly [allow: string, ...paths: ReadonlyArray<string>]> = [
  ["GET", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/"],
  ["GET", "/v1/external_pharmacy_api/openapi.json", "/v1/external_pharmacy_api/apidocs"],
  ["GET", "/meet/booking/blc_x", "/meet/booking/blc_x/appointment.ics", "/booking/blc_x"],
  ["POST", "/storefront/checkout/x/pay"],
  ["GET, POST", "/meet/appointment/aac_x", "/meet/booking/blc_x/hold", "/meet/booking/blc_x/confirm"],
  ["GET", "/meet/meeting/x", "/meet/meeting/x/socket", "/meet/assets/x.js", "/meet/booking-widget.js"],
  ["GET", "/storefront/checkout/x", `/storefront/checkout/${"x".repeat(3000)}`]
]

const refused = async (at: TestServer, method: string, path: string) => {
  const { status, headers, body } = await at.api(method, path)
  return [status, headers.get("allow"), body.code]
}

test("routes outside of the API also answer 405, with or without a trailing slash or a query", async () => {
  for (const [allow, ...paths] of beside)
    for (const path of paths)
      for (const method of ["PUT", "DELETE", "OPTIONS", "PROPFIND"])
        for (const end of ["", "?a=1"])
          expect(await refused(server.current, method, path + end), `${method} ${path}${end}`).toEqual([
            405,
            allow,
            "method_not_allowed"
          ])
})

test("routes for programs are refused in the JSON envelope at the pages' host too", async () => {
  const fetched = (path: string) => server.current.api("GET", path)
  expect(await fetched("/meet/assets/x.js")).toMatchObject({ status: 404, body: { code: "not_found" } })
  expect(await fetched("/meet/meeting/x/socket")).toMatchObject({ status: 426, body: { code: "upgrade_required" } })
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const form = { body: `reason=${"x".repeat(70_000)}`, headers }
  const posted = await server.current.api("POST", "/meet/appointment/aac_x", form)
  expect(posted).toMatchObject({ status: 413, body: { code: "body_too_large" } })
})

test("address, method and credential are checked before the body", async () => {
  const body = "x".repeat(2_000_000)
  const request = (path: string) =>
    server.current.api("POST", path, { body, headers: { "content-type": "text/plain" } })
  const fetched = await Promise.all(
    ["/v1/nothing", "/v1/management/scheduling/doctors", "/v1/management/scheduling/appointment-types"].map(request)
  )
  expect(fetched.map(({ status }) => status)).toEqual([404, 405, 401])
})

test("a worker answers in the same envelope, and has no route of the API", async () => {
  const worker = await startServer({ ROLE: "worker" })
  for (const path of ["/healthz", "/readyz", "/metrics"]) {
    expect((await worker.api("GET", path)).status, path).toBe(200)
    expect(await refused(worker, "POST", path), path).toEqual([405, "GET", "method_not_allowed"])
  }
  for (const path of ["/nope", "/openapi.json", "/v1/scheduling/slots/search"])
    expect(await refused(worker, "GET", path), path).toEqual([404, null, "unknown_route"])
  await worker.stop()
})
