/** The quick start as documented: from an empty folder to a confirmed appointment and a verified webhook. */
import { afterAll, expect, test } from "bun:test"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../support/ports.ts"
import { run, temporaryFolder } from "../support/processes.ts"
import { testServer } from "../support/server.ts"
import { expectWritten } from "../support/written.ts"

const server = testServer({ PROVISION_FILE: "" })
const folder = temporaryFolder()
afterAll(() => folder.remove())

const guide = readFileSync("docs/partners/clients.md", "utf8")
const sections = new Map(
  guide.split(/^## /m).map((section) => [section.split("\n")[0] ?? "", section.slice(section.indexOf("\n"))] as const)
)
const commandsIn = (text: string) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, commands = ""]) => commands.trim().split("\n"))

const languages = ["TypeScript", "Python", "PHP"]

test.each(languages)("%s", async (language) => {
  const preparation = commandsIn(guide.split(/^## /m)[0] ?? "")
  const commands = [...preparation, ...commandsIn(sections.get(language) ?? "")]
  const project = join(folder.path, language)
  mkdirSync(project)
  const here = commands
    .join("\n")
    .replace("http://127.0.0.1:8080", server.current.url)
    .replace("9099", String(freePort()))
  const start = performance.now()
  const shell = run(["sh", "-euc", here], { cwd: project })
  const status = await shell.ended
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  expect([status, shell.said()]).toEqual([0, expect.stringMatching(/confirmed (apt_\w+)\nverified \w+ \1\n$/)])
  console.log(
    `${language}: ${commands.length} commands, ${seconds} s to a confirmed appointment and a verified webhook`
  )
  expectWritten(language, { commands: commands.length }, "docs/partners/clients.md", 0)
})

test("the client's snippet works as described", async () => {
  const [snippet = ""] = [...(sections.get("TypeScript") ?? "").matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text
  )
  await Bun.write(join(folder.path, "TypeScript/snippet.mjs"), snippet)
  const node = Bun.which("node") ?? "node"
  const shown = run([node, "snippet.mjs"], {
    cwd: join(folder.path, "TypeScript"),
    env: { BASE_URL: server.current.url }
  })
  expect([await shown.ended, shown.said()]).toEqual([0, expect.stringMatching(/^apt_\w+ \d+\n[\s\S]*not found\n$/)])
})
