import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import { catalogue, document } from "../../script/generate/errors.ts"

test("the error catalogue is what the source gives: bun script/generate/errors.ts writes it", () => {
  expect(readFileSync("docs/partners/errors.md", "utf8")).toBe(document())
})

test("every reason of a conflict in the source is in it, each with its meaning", () => {
  const known = new Map(catalogue().map(({ code, meaning }) => [code, meaning]))
  for (const path of new Glob("src/{services,schemas}/**/*.ts").scanSync(".")) {
    const text = readFileSync(path, "utf8")
    if (!text.includes("new Conflict")) continue
    for (const [, reason = ""] of text.matchAll(/reason:\s*"(\w+)"/g))
      expect([path, reason, known.get(reason)]).toEqual([path, reason, expect.stringMatching(/\S/)])
  }
})
