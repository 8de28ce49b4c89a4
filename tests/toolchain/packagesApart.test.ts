/** Packages that the programs load on their first use: bundles beside them (`script/build.ts`). */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Glob } from "bun"
import { ROOT } from "../../src/paths.ts"
import { COMMAND_LINE, SERVICE } from "../support/processes.ts"

const required = /require\("\.\/packages\/([^"]+)\.js"\)/g
const packagesOf = (program: string) =>
  [...readFileSync(program, "utf8").matchAll(required)].map(([, name = ""]) => name)

test("every package that the sources require is a bundle beside the programs, which has its exports", () => {
  const sources = [...new Glob("**/*.{ts,tsx}").scanSync(join(ROOT, "src"))]
  const names = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(/require\("([@\w][^"]*)"\)/g)].map(
      ([, name = ""]) => name
    )
  )
  const apart = new Map([...names].map((name) => [name.replaceAll("/", "-"), name]))
  for (const external of ["mupdf", "pdfkit"]) apart.delete(external)
  expect(apart.size).toBeGreaterThan(5)
  for (const [, , program = ""] of [SERVICE, COMMAND_LINE]) {
    expect(packagesOf(program).filter((one) => !apart.has(one))).toEqual([])
    expect(packagesOf(program)).not.toEqual([])
    for (const one of packagesOf(program)) {
      const bundled = require(join(dirname(program), "packages", `${one}.js`))
      const whole = require(apart.get(one) ?? one)
      expect([one, typeof bundled, Object.keys(bundled).sort()]).toEqual([one, typeof whole, Object.keys(whole).sort()])
    }
  }
})
