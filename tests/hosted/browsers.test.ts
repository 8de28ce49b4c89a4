import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"

const server = testServer()

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "accept-language": "de" }
const request = (path: string, headers: Readonly<Record<string, string>> = browser) =>
  server.current.api("GET", path, { headers })

test("browsers get a page, not JSON, at unknown addresses", async () => {
  for (const path of ["/nowhere", "/meet/nowhere", "/meet/booking", "/meet/meeting", "/v2/nothing"]) {
    const answer = await request(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get("content-type")).toStartWith("text/html")
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(answer.body).toContain("Diese Seite gibt es nicht")
  }
})

test("browsers get an explaining page at the root", async () => {
  for (const path of ["/", "/meet", "/meet/"]) {
    const answer = await request(path)
    expect(answer.status).toBe(200)
    expect(answer.body).toContain("den Sie von Ihrer Praxis erhalten haben")
    expect(answer.body).toContain('href="/docs"')
  }
})

test("programs get JSON there", async () => {
  for (const path of ["/", "/nowhere", "/meet/nowhere"]) {
    const answer = await request(path, { accept: "*/*" })
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ code: "unknown_route" })
  }
})
