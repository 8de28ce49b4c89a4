/** What `script/release` changes, and what it refuses. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import {
  MIGRATIONS,
  migrationOf,
  RELEASED,
  releaseChanges,
  releasedIn,
  releaseFaults
} from "../../script/checks/release.ts"
import { installed } from "../../src/capabilities/index.ts"
import { migrations } from "../../src/layers/migrations/index.ts"
import { build, commit, version } from "../../src/version.ts"
import { COMMAND_LINE, run, SERVICE } from "../support/processes.ts"

const tree = {
  files: new Map([
    ["package.json", '{\n  "name": "sprechstunde",\n  "version": "0.1.0"\n}\n'],
    [
      "CHANGELOG.md",
      "# Changelog\n\n## Unreleased\n\n### Added\n\n- Something.\n\n## 0.1.0 - 2026-11-21\n\n- First.\n"
    ],
    ["clients/typescript/package.json", '{ "version": "0.1.0" }'],
    [RELEASED, "# Comment\n0001_first\n"],
    ["compose.yaml", "x:\n  image: sprechstunde:0.1.0\n  other: nginx:0.1.0\n"],
    ["publiccode.yml", "name: Sprechstunde\nsoftwareVersion: 0.1.0\n"],
    ["deploy/helm/Chart.yaml", 'apiVersion: v2\nversion: 0.1.0\nappVersion: "0.1.0"\n'],
    ["deploy/helm/values.yaml", 'image:\n  tag: "0.1.0"\n'],
    ["deploy/kubernetes/namespace.yaml", "kind: Namespace\n"]
  ]),
  migrations: ["0001_first", "0002_second", "video/0001"]
}
const release = { version: "0.2.0", date: "2026-12-01" }

test("a release sets version, changelog, image tags and released migrations, and nothing else", () => {
  expect(releaseFaults(tree, release)).toEqual([])
  const changes = releaseChanges(tree, release)
  const stamped = [
    "CHANGELOG.md",
    "compose.yaml",
    "publiccode.yml",
    "deploy/helm/Chart.yaml",
    "deploy/helm/values.yaml"
  ]
  const versioned = ["package.json", "clients/typescript/package.json"]
  expect([...changes.keys()].sort()).toEqual([...versioned, ...stamped, RELEASED].sort())
  for (const path of versioned) expect(JSON.parse(changes.get(path) ?? "")).toMatchObject({ version: "0.2.0" })
  expect(changes.get("CHANGELOG.md")).toContain("## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n")
  expect(changes.get("compose.yaml")).toBe("x:\n  image: sprechstunde:0.2.0\n  other: nginx:0.1.0\n")
  expect(releasedIn(changes.get(RELEASED) ?? "")).toEqual(tree.migrations)
  expect(changes.get("publiccode.yml")).toContain("softwareVersion: 0.2.0\n")
  expect(changes.get("deploy/helm/Chart.yaml")).toBe('apiVersion: v2\nversion: 0.2.0\nappVersion: "0.2.0"\n')
  expect(changes.get("deploy/helm/values.yaml")).toContain('tag: "0.2.0"')
})

test("the migrations of the core and of every capability are frozen, by the names under which they are applied", () => {
  const named = [...new Glob(MIGRATIONS).scanSync(".")].map(migrationOf).sort()
  const applied = [...migrations, ...installed.flatMap((one) => one.migrations)].map(({ name }) => name)
  expect(named).toEqual(applied.sort())
})

test("it is refused for a version that is not later, an empty changelog, or a released migration that is missing", () => {
  for (const version of ["0.1.0", "0.0.9", "0.2", "v0.2.0"])
    expect(releaseFaults(tree, { ...release, version })).toHaveLength(1)
  expect(releaseFaults(tree, { ...release, version: "0.10.0" })).toEqual([])
  const empty = new Map(tree.files).set("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-21\n")
  expect(releaseFaults({ ...tree, files: empty }, release)).toEqual(["CHANGELOG.md has nothing under Unreleased"])
  expect(releaseFaults({ ...tree, migrations: ["0002_second"] }, release)).toEqual([
    "0001_first is released, and missing"
  ])
})

test("a dry run on this tree names the files and what prevents the release, and changes none", async () => {
  const before = readFileSync("package.json", "utf8")
  const dry = run([process.execPath, "--no-install", "script/release.ts", "99.0.0", "--dry-run"])
  const nothingNew = /^## Unreleased\n\n## /m.test(readFileSync("CHANGELOG.md", "utf8")) // as after a release
  expect([await dry.ended, dry.said().includes("CHANGELOG.md has nothing under Unreleased")]).toEqual(
    nothingNew ? [1, true] : [0, false]
  )
  for (const path of ["package.json", "CHANGELOG.md", "compose.yaml", "deploy/kubernetes/http.yaml"])
    expect(dry.said()).toContain(`would change  ${path}`)
  expect(dry.said()).toMatch(/^sha256 {2}[0-9a-f]{64} {2}bun\.lock$/m)
  expect(readFileSync("package.json", "utf8")).toBe(before)
})

test("every build names its commit", async () => {
  expect([commit, build]).toEqual(["source", `${version}+source`])
  for (const command of [SERVICE, COMMAND_LINE]) {
    const running = run([...command, "--version"])
    expect(await running.ended, running.said()).toBe(0)
    expect(running.said().trim()).toMatch(/^\d+\.\d+\.\d+\+([0-9a-f]{12}(-modified)?|unknown)$/)
  }
})
