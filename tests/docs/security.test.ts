/** Tests that show the protections of SECURITY.md and docs/attacks.md, and that the evidence for auditors names, exist. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { EVIDENCE, evidence } from "../../script/generate/evidence.ts"
import { outgoingTable } from "../../script/generate/outgoing.ts"
import { parsersInPage, parsersTable } from "../../script/generate/parsers.ts"

test("the table of calls to other systems is what the adapters declare", async () => {
  const { page, generated } = await outgoingTable()
  expect(page).toBe(generated)
})

test("every protection has a test that says so, and every such test a protection", () => {
  const { document, unshown, unknown } = evidence()
  expect({ unshown, unknown }).toEqual({ unshown: [], unknown: [] })
  expect(readFileSync(EVIDENCE, "utf8")).toBe(document)
})

test("the table of parsers has the bounds of the code", () => {
  expect(parsersInPage()).toBe(parsersTable())
})
