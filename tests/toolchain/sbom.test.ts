/** The SBOM is valid and complete for the image. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Spec, Validation } from "@cyclonedx/cyclonedx-library"
import { billOfMaterials } from "../../script/sbom.ts"

const read = (path: string) => readFileSync(path, "utf8")
const made = () => billOfMaterials(read("bun.lock"), read("package.json"))
const { dependencies, devDependencies } = JSON.parse(read("package.json"))

interface Component {
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly hashes?: ReadonlyArray<object>
  readonly licenses?: ReadonlyArray<object>
}
const components: ReadonlyArray<Component> = JSON.parse(made()).components
const named = ({ group, name, version }: Component) => `${group === undefined ? "" : `${group}/`}${name}@${version}`

// Shows: a compromised dependency
// Shows: a compromised pod, a replaced image
test("the bill of materials matches the CycloneDX schema, and the same lock file gives the same text", async () => {
  const fault = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(made())
  expect(fault).toBeNull()
  expect(made()).toBe(made())
})

test("the bill of materials names every direct dependency with its version, and no development dependency", () => {
  const all = new Set(components.map(named))
  for (const [name, version] of Object.entries(dependencies)) expect([...all]).toContain(`${name}@${version}`)
  const theirs = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`)
  expect(
    theirs.filter((one) => one.startsWith("typescript@") || one.startsWith("@biomejs/")).some((one) => all.has(one))
  ).toBe(false)
})

test("every component has a hash, and a licence unless its package states none", () => {
  expect(components.length).toBeGreaterThan(50)
  expect(components.filter(({ hashes }) => hashes === undefined).map(named)).toEqual([])
  // png-js declares its licence, MIT, only in a file
  expect(components.filter(({ licenses }) => licenses === undefined).map(named)).toEqual(["png-js@2.0.0"])
})

test("a lock file that lacks what is needed is an error", () => {
  const without = read("bun.lock").replace(/^ {4}"pg": .*$/m, "")
  expect(() => billOfMaterials(without, read("package.json"))).toThrow("bun.lock has no pg")
})
