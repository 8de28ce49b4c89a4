/** Tests that SECURITY.md, docs/attacks.md and the evidence for auditors cite exist. */
import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"

const HEAD = 2

const citationsIn = (text: string) =>
  [...text.matchAll(/`(tests\/[\w/-]+\.test\.ts)` “([^”]+)”/g)].map(([, path = "", name = ""]) => ({ path, name }))

/** Whether the file has no test of this name. */
const isMissing = ({ path, name }: { path: string; name: string }) =>
  !existsSync(path) || !titlesOf(path).includes(name)

/** The table's protections with the tests that they name. */
const protections = (page: string) =>
  page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(HEAD)
    .map((line) => {
      const [, threat = "", , shown = ""] = line.split("|").map((cell) => cell.trim())
      return { threat, tests: citationsIn(shown) }
    })

/** Faults in the tests that a table names. */
const faultsOf = (page: string) =>
  protections(page).flatMap(({ threat, tests }) =>
    tests.length === 0
      ? [`${threat}: names no test`]
      : tests.filter(isMissing).map(({ path, name }) => `${threat}: ${path} has no test “${name}”`)
  )

const titlesOf = (path: string) =>
  [...readFileSync(path, "utf8").matchAll(/(?:test|describe|\))\(\s*(["'`])(.*?)\1/g)].map(([, , title = ""]) => title)

test.each(["SECURITY.md", "docs/attacks.md"])("every protection of %s names a test that exists", (path) => {
  const page = readFileSync(path, "utf8")
  expect(protections(page).length).toBeGreaterThan(25)
  expect(faultsOf(page)).toEqual([])
})

test("every test that the evidence for auditors names exists", () => {
  const cited = citationsIn(readFileSync("docs/compliance/evidence.md", "utf8"))
  expect(cited.length).toBeGreaterThan(15)
  expect(cited.filter(isMissing)).toEqual([])
})

test("a protection without a test, and a missing test, are found", () => {
  const table = (shown: string) => `| threat | protection | shown by |\n| --- | --- | --- |\n| a | b | ${shown} |\n`
  const own = "tests/docs/security.test.ts"
  expect(faultsOf(table("well"))).toEqual(["a: names no test"])
  expect(faultsOf(table(`\`${own}\` “nothing”`))).toEqual([`a: ${own} has no test “nothing”`])
  expect(faultsOf(table("`tests/none.test.ts` “x”"))).toEqual(["a: tests/none.test.ts has no test “x”"])
  expect(faultsOf(table(`\`${own}\` “every protection of %s names a test that exists”`))).toEqual([])
})
