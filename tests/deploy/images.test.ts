/** Images are pinned by digest before a production installation (docs/operating.md); the files name tags. */
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { pinned, unpinned } from "../../script/images.ts"

const digest = `sha256:${"0123456789abcdef".repeat(4)}`
const read = (path: string) => readFileSync(path, "utf8")

test.each(["compose.yaml", "Dockerfile", "deploy/cloudnativepg/cluster.yaml"])(
  "%s names third-party images, each with a version, and all can be pinned",
  (path) => {
    const text = read(path)
    const before = unpinned(text)
    expect(before.length).toBeGreaterThan(0)
    for (const image of before) expect(image).toMatch(/:[^:]*(\d|\$\{BUN_VERSION\})[^:]*$/)
    const requested: string[] = []
    const after = pinned(text, (image) => {
      requested.push(image)
      return digest
    })
    expect(unpinned(after)).toEqual([])
    expect(after.replaceAll(`@${digest}`, "")).toBe(text)
    expect(requested).toBeArrayOfSize(before.length)
    expect(requested.join()).not.toContain("$")
  }
)

test("a Dockerfile's stage and our own image are not third-party images", () => {
  expect(unpinned("FROM base:1.0 AS one\nFROM one\n")).toEqual(["base:1.0"])
  for (const path of readdirSync("deploy/kubernetes", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".yaml")
  ))
    expect(unpinned(read(`deploy/kubernetes/${path}`))).toEqual([])
})

test("a registry's answer that is not a digest is not written", () => {
  expect(() => pinned("FROM base:1.0\n", () => "not found")).toThrow("base:1.0 has no digest")
})

// Shows: a compromised dependency
// Shows: a compromised pod, a replaced image
test("the command fails for an image without a digest, and names the image", () => {
  const run = Bun.spawnSync(["bun", "script/images.ts", "check", "compose.yaml", "Dockerfile"])
  expect(run.exitCode).toBe(1)
  expect(run.stderr.toString()).toContain("compose.yaml: postgres:18.1-bookworm has no digest")
})
