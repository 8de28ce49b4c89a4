import { afterAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { eventually } from "../support/eventually.ts"
import { freePort } from "../support/ports.ts"
import { type Running, run, temporaryFolder } from "../support/processes.ts"
import { isLong } from "../support/scale.ts"

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
/** The servers of the short run, by the command that started them. */
const shared = new Map<string, ReturnType<typeof serverOf>>()
afterAll(async () => {
  for (const running of shared.values()) await running.then(({ server }) => server.stop())
  folder.remove()
})

const path = `${dirname(process.execPath)}:${process.env.PATH}`

/** A copy of the guide's commands with a free port; otherwise unchanged. */
const here = (text: string, ports: Readonly<Record<string, number>>) =>
  Object.entries(ports).reduce((moved, [from, to]) => moved.replaceAll(from, String(to)), text)

type Environment = Readonly<Record<string, string>> & { readonly PORT: string }

/** Starts a server with a guide's own command, and returns when it is ready. */
const started = async (command: string, env: Environment): Promise<Running> => {
  const server = run(["sh", "-c", `exec env ${command}`], { env })
  await eventually(
    async () =>
      (await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => undefined))?.ok ? "ready" : server.said(),
    (state) => state === "ready",
    300
  )
  return server
}

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

const serverOf = async (command: string, DATA_DIR: string) => {
  const env = { PATH: path, PORT: String(freePort()), DATA_DIR, TMPDIR: folder.path, LOG_FORMAT: "json" }
  return { server: await started(command, env), env }
}

/** Guides that start the server with the same command share one; in `script/test --long` each has its own, on fresh data. */
const serverFor = async (name: string, command: string) => {
  const DATA_DIR = join(folder.path, name.replace(/\W/g, "-"))
  if (isLong) {
    await copyDemoData(DATA_DIR)
    return serverOf(command, DATA_DIR)
  }
  const running = shared.get(command) ?? serverOf(command, DATA_DIR)
  shared.set(command, running)
  return running
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
    if (isLong) await server.stop()
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
