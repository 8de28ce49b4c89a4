/** Every command of `script/cli` that a document names exists, with its options: guides that no test runs can be trusted that far. */
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { commandLine } from "../support/cli.ts"

const inDocs = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
const files = ["README.md", "SECURITY.md", ...inDocs.map((name) => `docs/${name}`)]

/** The words and the options of each command, as documents write it: in a block, or in a line of text. */
const COMMAND =
  /(?:script\/cli|dist\/cli\.js|`cli|run cli|sprechstunde (?:app|owner)) ((?:[a-z][a-z-]*[ \t]+)*[a-z][a-z-]*)([^`\n]*)/g
const named = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(COMMAND)].map(([whole, words = "", rest = ""]) => ({
    at: `${file}: ${whole.trim()}`,
    words: words.split(/\s+/),
    options: [...(rest.split(/[|;#]/)[0] ?? "").matchAll(/--[a-z][a-z-]*/g)]
      .map(([option]) => option)
      .filter((option) => option !== "--password-of") // of the script deploy/systemd/sprechstunde
  }))
)

test("documents name commands and options that exist", async () => {
  const asked = await commandLine({})("--help")
  expect(asked.status).toBe(0)
  const commands = [...asked.said.matchAll(/^ +- ((?:[a-z][a-z-]* ?)+)(.*)$/gm)].map(([, words = "", rest = ""]) => ({
    name: words.trim(),
    rest
  }))
  expect(named.length).toBeGreaterThan(30)
  const wrong = named.filter(({ words, options }) => {
    const fits = commands.filter(({ name }) => `${words.join(" ")} `.startsWith(`${name} `))
    const longest = fits.toSorted((a, b) => b.name.length - a.name.length)[0]
    return longest === undefined || options.some((option) => !longest.rest.split(/[^a-z-]+/).includes(option))
  })
  expect(wrong.map(({ at }) => at)).toEqual([])
})
