/** What partners link or copy is under Apache-2.0: a file beside it, and a line in each file; the service is not. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"

const permissive = ["clients", "docs/partners/examples", "src/pages/widget"]

test("clients, the widget's script and the examples name Apache-2.0", () => {
  for (const folder of permissive) {
    expect(readFileSync(`${folder}/LICENSE`, "utf8")).toContain("Apache License")
    const files = [...new Glob(`${folder}/**/*.{ts,mjs,php,py}`).scanSync(".")].filter(
      (path) => !path.includes("node_modules")
    )
    expect(files.length).toBeGreaterThan(0)
    const without = files.filter(
      (path) => !readFileSync(path, "utf8").slice(0, 200).includes("SPDX-License-Identifier: Apache-2.0")
    )
    expect(without).toEqual([])
  }
  const licenceOf = (path: string) => JSON.parse(readFileSync(path, "utf8")).license
  expect(licenceOf("clients/typescript/package.json")).toBe("Apache-2.0")
  expect(readFileSync("LICENSE", "utf8")).toContain("GNU AFFERO GENERAL PUBLIC LICENSE")
})
