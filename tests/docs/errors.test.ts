import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import { catalogue, document } from "../../script/generate/errors.ts"

/** Without the blanks and dashes that the formatter lays tables out with. */
const plain = (text: string) => text.replace(/ +/g, " ").replace(/-{3,}/g, "---")

test("the error catalogue is what the source gives: bun script/generate/errors.ts writes it", () => {
  expect(plain(readFileSync("docs/partners/errors.md", "utf8"))).toBe(plain(document()))
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
