/** Crafted forms and streams of the console, as none of its pages sends them. */
import { describe, expect, spyOn, test } from "bun:test"
import { bodyOf } from "../../../src/capabilities/console/http/serving/formFields.ts"
import { OrganisationChanges } from "../../../src/capabilities/shared/schemas/Organisation.ts"
import { asAdmin, asPharmacy, cookieOf } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

const server = testServer()

const enter = async () => {
  const browser = await asAdmin(server.current, await makeWorld(server.current))
  const send = (fields: Readonly<Record<string, string>>) =>
    browser.send("PATCH /v1/management/organisation", { "@back": "/console/practice", name: "Praxis", ...fields })
  return { browser, send }
}

describe("a form", () => {
  test("with a unit that every object has is answered by the interface; Rule 2.3.5", async () => {
    const { send } = await enter()
    for (const unit of ["valueOf", "__proto__", "hasOwnProperty", "constructor"])
      expect([unit, (await send({ [`name@${unit}`]: "Praxis" })).status]).toEqual([unit, 303])
  })

  // Shows: crafted forms sent to the console
  test.each([
    ["/console/practice/\r\nset-cookie: a=b", "/console/practice/set-cookie:%20a=b?done=1"],
    ["/console/practice?q=\u20ac", "/console/practice?q=%E2%82%AC&done=1"],
    ["/console/practice/../..//elsewhere.example", "/console/practice?done=1"],
    ["https://elsewhere.example/console/practice", "/console/practice?done=1"],
    ["//elsewhere.example/console/practice", "/console/practice?done=1"],
    ["/console/practice/../doctor", "/console/practice?done=1"],
    [`/console/practice?q=${"x".repeat(2_048)}`, "/console/practice?done=1"]
  ])("redirects only to a page of its workspace, not to %p", async (back, location) => {
    const { send } = await enter()
    const answer = await send({ "@back": back })
    expect([answer.status, answer.location.replace(/done=[\w.]+$/, "done=1")]).toEqual([303, location])
  })

  // Shows: crafted forms sent to the console
  test("with very many fields is refused before they are collected", async () => {
    const { send } = await enter()
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`f${i}`, ""]))
    expect((await send(many)).status).toBe(413)
  })
})

// Shows: statistics and previews of many types and years that block all other requests
test("lists within lists of a form take comparisons in proportion to its fields", () => {
  const comparisonsFor = (records: number) => {
    const fields = new Map<string, ReadonlyArray<string>>()
    for (let i = 0; i < records; i++)
      fields.set(`consent.${i}.purpose`, ["video"]).set(`consent.${i}.texts.0.language`, ["de"])
    const compared = spyOn(String.prototype, "startsWith")
    const body = bodyOf(OrganisationChanges, fields)
    const count = compared.mock.calls.length
    compared.mockRestore()
    expect(body).toEqual({ consent: Array(records).fill({ purpose: "video", texts: [{ language: "de" }] }) })
    return count
  }
  expect(comparisonsFor(400) / comparisonsFor(200)).toBeLessThan(2.5)
})

test("a stock list with more lines than the API accepts is refused before it is parsed; Rule 17.2.5", async () => {
  const pharmacy = random("pha")
  const world = await makeWorld(server.current)
  await world.provision({ pharmacies: [{ uid: pharmacy, name: "Apotheke" }] })
  const browser = await asPharmacy(server.current, pharmacy)
  const preview = (lines: number) =>
    browser.ask("/console/pharmacy/stock/preview", { "@csrf": browser.csrf, rows: "x;1\n".repeat(lines) })
  expect((await preview(1_000)).status).toBe(200)
  const refused = await preview(1_001)
  expect([refused.status, refused.text.includes("must have at most 1000 lines")]).toEqual([400, true])
})

describe("a live page", () => {
  // Shows: crafted forms sent to the console
  test("is limited to 32 per person", async () => {
    const { browser } = await enter()
    const cookie = cookieOf(browser)
    const open = async () => {
      const control = new AbortController()
      const { status, body } = await fetch(new URL("/console/practice/live", server.current.url), {
        headers: { cookie },
        signal: control.signal
      })
      if (status === 200) await body?.getReader().read()
      return { status, close: () => control.abort() }
    }
    const streams = await Promise.all(Array.from({ length: 32 }, open))
    expect(streams.map(({ status }) => status)).toEqual(Array(32).fill(200))
    expect((await open()).status).toBe(429)
    streams[0]?.close()
    const next = await eventually(open, ({ status }) => status === 200)
    for (const { close } of [...streams, next]) close()
  })
})
