/** The versions that docs/scaling.md names: each was tried, and the tests' cluster is of one of them. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { citusNodes, onEveryNode } from "../../support/citus.ts"
import { freshDatabase, rowsAt } from "../../support/postgres.ts"

const guide = readFileSync("docs/scaling.md", "utf8").replaceAll("\n", " ")
const [, citus = "", minors = ""] = /\(tried: ([\d.]+) with ([\d., and]+)\)/.exec(guide) ?? []
const tried = minors.split(/ and |, /)

test("the guide says of every minor version of PostgreSQL that was tried whether Citus compiles with it as it is", () => {
  const said = [...guide.matchAll(/- \*\*([\d.]+)-[\w+]+\*\*: (compiles|does not compile) as it is/g)]
  expect(said.map(([, minor]) => minor)).toEqual(tried)
  expect(said.map(([, , how]) => how)).toContain("compiles")
  expect(guide).toContain(`built the tag \`v${citus}\``)
})

test("whatever the guide says was tested on a cluster was tested on such versions", () => {
  const tests = [...guide.matchAll(/of Citus ([\d.]+\d) on PostgreSQL ([\d.]+\d)/g)]
  expect(tests.length).toBeGreaterThan(0)
  for (const [, version, minor = ""] of tests)
    expect([version, tried]).toEqual([citus, expect.arrayContaining([minor])])
})

if (citusNodes.length > 0)
  test("the cluster of this run is of versions that the guide names", async () => {
    const { url, drop } = await freshDatabase()
    for (const node of onEveryNode(url)) {
      const [row] = await rowsAt(node, "SELECT citus_version(), current_setting('server_version') AS server")
      expect(String(row?.citus_version)).toContain(`Citus ${citus} `)
      expect(tried).toContain(String(row?.server).split(" ")[0] ?? "")
    }
    await drop()
  })
