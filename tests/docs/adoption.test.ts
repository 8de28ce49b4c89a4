/** What those look for who consider the project, and that it says what is so. */
import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"

test("publiccode.yml names the version, the licence and the languages of the pages", () => {
  const described = Bun.YAML.parse(readFileSync("publiccode.yml", "utf8")) as Record<string, Record<string, unknown>>
  const { version, license } = JSON.parse(readFileSync("package.json", "utf8"))
  expect(String(described.softwareVersion)).toBe(version)
  expect(described.legal?.license).toBe(license ?? "AGPL-3.0-or-later")
  for (const language of (described.localisation?.availableLanguages ?? []) as ReadonlyArray<string>)
    expect([
      language,
      ["src/texts", "src/capabilities/languages/texts"].some((folder) => existsSync(`${folder}/${language}.ts`))
    ]).toEqual([language, true])
})

test("governance, support, conduct, disclosure and issue templates are there", () => {
  for (const file of ["GOVERNANCE.md", "SUPPORT.md", "CODE_OF_CONDUCT.md", ".github/ISSUE_TEMPLATE/fault.md"])
    expect([file, existsSync(file)]).toEqual([file, true])
  expect(readFileSync("SECURITY.md", "utf8")).toContain("within 90 days")
})

test("prescriptions begin with what they are not", () => {
  const [, , first = ""] = readFileSync("docs/prescriptions.md", "utf8").split("\n")
  expect(first).toContain("Telematikinfrastruktur")
})
