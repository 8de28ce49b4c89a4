import { afterAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { freePort } from "../support/ports.ts"
import { freshDatabase } from "../support/postgres.ts"
import { run, startService, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"
import { migrated } from "../support/server.ts"

interface Fence {
  readonly language: string
  readonly text: string
}

const fencesOf = (markdown: string): ReadonlyArray<Fence> =>
  [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({ language, text }))

/** The documented output of a guide's commands; alternatives are separated by `|`. */
const printsOf = (markdown: string) =>
  [...markdown.matchAll(/<!-- prints: (.*?) -->/g)].map(([, text = ""]) => text.split("|"))

const isServer = ({ text }: Fence) => /(^|\s)script\/server\s*$/.test(text.trim())
const isOtherTool = ({ text }: Fence) => /^(script\/test|git clone|docker|kubectl|psql|bun )/.test(text.trim())

const folder = temporaryFolder()
afterAll(folder.remove)

const path = `${dirname(process.execPath)}:${process.env.PATH}`

/** A copy of the guide's commands with a free port; otherwise unchanged. */
const here = (text: string, ports: Readonly<Record<string, number>>) =>
  Object.entries(ports).reduce((moved, [from, to]) => moved.replaceAll(from, String(to)), text)

/** Starts a server with a guide's own command, and returns when it is ready. */
const started = (command: string, env: Readonly<Record<string, string>>) =>
  startService(env, { command: ["sh", "-c", `exec env ${command}`], port: Number(env.PORT) })

/** The data folder after a first start of `script/server`: created once, copied for each guide. */
let demoData: Promise<string> | undefined
const makeDemoData = async () => {
  const DATA_DIR = join(folder.path, "demo")
  const server = await started("script/server", { PATH: path, PORT: String(freePort()), DATA_DIR, TMPDIR: folder.path })
  await server.stop()
  return DATA_DIR
}
const copyDemoData = async (DATA_DIR: string) => {
  demoData ??= makeDemoData()
  const copied = run(["cp", "--archive", await demoData, DATA_DIR])
  expect(await copied.ended, copied.said()).toBe(0)
}

/** In `script/test --long` a guide's server has its own PostgreSQL and fresh data; in the short run a database of the tests. */
const serverFor = async (name: string, command: string) => {
  const DATA_DIR = join(folder.path, name.replace(/\W/g, "-"))
  if (isLong) await copyDemoData(DATA_DIR)
  const MASTER_KEY = Buffer.alloc(32, 7).toString("base64")
  const database = isLong ? {} : { DATABASE_URL: (await freshDatabase(migrated)).url }
  const own = { PATH: path, PORT: String(freePort()), DATA_DIR, TMPDIR: folder.path }
  const env = { ...own, ...database, MASTER_KEY, LOG_FORMAT: "json" }
  return { server: await started(command, env), env }
}

const follow = async (name: string, markdown: string) => {
  const commands = fencesOf(markdown).filter((fence) => fence.language === "sh" && !isOtherTool(fence))
  const start = commands.find(isServer)?.text.trim() ?? ""
  const { server, env } = await serverFor(name, start)
  try {
    const ports = { "8080": Number(env.PORT), "9099": freePort(), "9098": freePort() }
    const script = commands.filter((fence) => !isServer(fence)).map(({ text }) => here(text, ports))
    const shell = run(["bash", "-euo", "pipefail", "-c", script.join("\n")], { env })
    const status = await shell.ended
    return { status, said: shell.said() }
  } finally {
    await server.stop()
  }
}

const guides = [
  "README.md",
  ...readdirSync("docs/partners")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/partners/${name}`)
]
const inShortRun = ["README.md"]
const runnable = guides.filter(
  (name) => (isLong || inShortRun.includes(name)) && fencesOf(readFileSync(name, "utf8")).some(isServer)
)

describe.each(runnable)("%s", (name) => {
  const markdown = readFileSync(name, "utf8")

  test("works as written", async () => {
    const { said, status } = await follow(name, markdown)
    // A webhook may arrive before the response to the request that caused it: the order of the output does not matter.
    let rest = said
    for (const alternatives of printsOf(markdown).toSorted((a, b) => String(b).length - String(a).length)) {
      const found = alternatives.find((text) => rest.includes(text))
      expect(found, `${alternatives.join(" or ")} is not in what was printed:\n${said}`).toBeString()
      rest = rest.replace(found ?? "", "")
    }
    expect({ status, said }).toMatchObject({ status: 0 })
  })
})

test("every JSON snippet parses", () => {
  for (const name of guides)
    for (const { language, text } of fencesOf(readFileSync(name, "utf8"))) if (language === "json") JSON.parse(text)
})

test("the displayed receiver is the one that was run", () => {
  const shown = fencesOf(readFileSync("docs/partners/webhooks.md", "utf8")).find(({ language }) => language === "js")
  expect(shown?.text).toBe(readFileSync("docs/partners/examples/receiver.mjs", "utf8"))
})

test("fewer than 15 commands lead to a confirmed appointment and a verified webhook", () => {
  const [section = ""] = readFileSync("docs/partners/booking.md", "utf8").split("## Mint the token yourself")
  const commands = fencesOf(section)
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) =>
      text
        .replace(/\\\n|\|\n/g, " ")
        .trim()
        .split("\n")
    )
    .filter((line) => line.trim() !== "" && !/^\s/.test(line))
  expect(commands.length).toBeLessThan(15 + 1)
})
