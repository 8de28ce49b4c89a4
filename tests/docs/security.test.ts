/** Tests that show the protections of SECURITY.md and docs/attacks.md, and that the evidence for auditors names, exist. */
import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { EVIDENCE, evidence, shownIn } from "../../script/generate/evidence.ts"

const titlesOf = (path: string) =>
  [...readFileSync(path, "utf8").matchAll(/(?:test|describe|\))\(\s*(["'`])(.*?)\1/g)].map(([, , title = ""]) => title)

test("every protection has a test that says so, and every such test a protection", () => {
  const { document, unshown, unknown } = evidence()
  expect({ unshown, unknown }).toEqual({ unshown: [], unknown: [] })
  expect(readFileSync(EVIDENCE, "utf8")).toBe(document)
})

test("what a comment says belongs to the test below it", () => {
  const text = '// Shows: open doors\n// Shows: open windows\ntest.each([\n  ["x"]\n])("are closed at %s", () => {})'
  const shown = { path: "a.test.ts", title: "are closed at %s" }
  expect(shownIn("a.test.ts", text)).toEqual([
    ["open doors", shown],
    ["open windows", shown]
  ])
})

test("every test that the evidence for auditors names exists", () => {
  const text = readFileSync("docs/compliance/evidence.md", "utf8")
  const cited = [...text.matchAll(/`(tests\/[\w/.-]+\.test\.ts)` “([^”]+)”/g)]
  expect(cited.length).toBeGreaterThan(15)
  const missing = cited.filter(([, path = "", title = ""]) => !existsSync(path) || !titlesOf(path).includes(title))
  expect(missing).toEqual([])
})
