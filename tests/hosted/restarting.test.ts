import { expect, test } from "bun:test"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { restarting } from "../../src/http/server/restarting.ts"

const request = (method: string, headers: Readonly<Record<string, string>>) =>
  Effect.runPromise(
    Effect.map(
      Effect.provideService(
        restarting,
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request("http://localhost/meet/booking/blc_x", { method, headers }))
      ),
      (response) => HttpServerResponse.toWeb(response)
    )
  )

test("while a process starts or stops (Rule 5.5.9), browsers get a page in their language that reloads itself", async () => {
  const answer = await request("GET", { accept: "text/html", "accept-language": "ar" })
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"])
  const html = await answer.text()
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html).toContain('http-equiv="refresh"')
  expect(html).toContain("المحاولة مرة أخرى")
})

test("programs, and the pages' own availability check, get JSON", async () => {
  for (const answer of [await request("GET", { accept: "application/json" }), await request("HEAD", {})])
    expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "application/json"])
})
