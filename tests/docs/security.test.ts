/** Tests that show the protections of SECURITY.md and docs/attacks.md, and that the evidence for auditors names, exist. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { EVIDENCE, evidence } from "../../script/generate/evidence.ts"
import { parsersInPage, parsersTable } from "../../script/generate/parsers.ts"

test("every protection has a test that says so, and every such test a protection", () => {
  const { document, unshown, unknown } = evidence()
  expect({ unshown, unknown }).toEqual({ unshown: [], unknown: [] })
  expect(readFileSync(EVIDENCE, "utf8")).toBe(document)
})

test("the table of parsers has the bounds of the code", () => {
  expect(parsersInPage()).toBe(parsersTable())
})
