/** What machines read: the list of pages, pages as Markdown, the catalogue of interfaces, whom to tell of a weakness. Section 14.6. */
import { expect, test } from "bun:test"
import { ownServer } from "../support/server.ts"

const server = ownServer({ SECURITY_CONTACT: "security@example.org" })
const without = ownServer()
/** Paths of the site, not of the repository. */
const [guides, rules] = ["/docs/guides", "/docs/specification"]
const read = async (path: string, at = server) => {
  const answer = await fetch(at.current.url + path)
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    text: await answer.text(),
    headers: answer.headers
  }
}

test("llms.txt lists pages that exist as Markdown, and nothing is left of their HTML", async () => {
  const { text, type } = await read("/llms.txt")
  expect([type, text.split("\n")[0]]).toEqual(["text/plain; charset=utf-8", "# Sprechstunde"])
  const pages = [...text.matchAll(/\((http[^)]+\.md)\)/g)].map(([, address = ""]) => new URL(address).pathname)
  expect(pages.length).toBeGreaterThan(40)
  for (const path of pages) {
    const page = await read(path)
    expect([path, page.status, page.type]).toEqual([path, 200, "text/markdown; charset=utf-8"])
    expect([path, page.text.startsWith("# "), /%[A-Z_]+%/.test(page.text)]).toEqual([path, true, false])
    const outside = page.text.replace(/```[\s\S]*?```|`[^`]*`/g, "")
    expect([path, /<\/?(p|div|td|tr|li|h\d|span|a)\b/.exec(outside)?.[0]]).toEqual([path, undefined])
  }
  const { text: booking } = await read(`${guides}/booking.md`)
  expect(booking).toContain("```\n")
  expect((await read(`${rules}/01-access.md`)).text).toContain("| --- |")
})

test("the catalogue names the interface's description", async () => {
  const { text, type, headers } = await read("/.well-known/api-catalog")
  expect(type).toStartWith("application/linkset+json")
  expect(headers.get("link")).toContain('rel="api-catalog"')
  const [
    {
      "service-desc": [description]
    }
  ] = JSON.parse(text).linkset
  expect((await fetch(description.href)).status).toBe(200)
})

test("security.txt exists where there is a contact, and expires within a year", async () => {
  const { text } = await read("/.well-known/security.txt")
  expect(text).toContain("Contact: mailto:security@example.org\n")
  const expires = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? "")
  expect(expires - Date.now()).toBeWithin(86_400_000, 365 * 86_400_000)
  expect((await read("/.well-known/security.txt", without)).status).toBe(404)
})
