/**
 * `bun run walk [--only REGEXP] [--languages de,ar] [--long] [--thoughts] [--servers 2] [--pictures FOLDER]`: presses every control of
 * every hosted page in every state, in Chromium, and checks for dead ends, lost text, duplicate events and errors. Checks each state with
 * axe, in light and dark mode, in each language. Then its second thoughts (`secondThoughts.ts`), with `--long` all of them, and with
 * `--thoughts` these alone. Walks one state per server at a time, since some states move their server's clock. `--pictures` takes a
 * picture of each state instead. Exits with 1 if it found anything. (tests/browser/firefox.long.test.ts runs the main path in Firefox.)
 */
import { mkdirSync } from "node:fs"
import { parseArgs } from "node:util"
import { launchBrowser, SHORT_LIVED } from "../tests/support/browser.ts"
import { startServer, type TestServer } from "../tests/support/server.ts"
import { TYPED } from "./walk/press.ts"
import { type State, stageOf } from "./walk/scene.ts"
import { thinkTwice } from "./walk/secondThoughts.ts"
import { limitedStates } from "./walk/states/other.ts"
import { statesOf } from "./walk/states.ts"
import { walk } from "./walk/walker.ts"

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    languages: { type: "string", default: "de,ar" },
    pictures: { type: "string" },
    long: { type: "boolean", default: false },
    thoughts: { type: "boolean", default: false },
    servers: { type: "string", default: "2" }
  }
})

// a sandbox: ten minutes pass by its clock
const servers: Array<TestServer> = []
while (servers.length < Number(values.servers)) servers.push(await startServer({ SANDBOX: "true" }))
const limited = await startServer({ RATE_LIMIT_PER_SECOND: "5" })
const browser = await launchBrowser(SHORT_LIVED, "--auto-select-desktop-capture-source=Entire screen")
const languages = values.languages.split(",")
/** The same states on each server. */
const stages = servers.map((server) =>
  [...statesOf(stageOf(server, browser)), ...limitedStates(stageOf(limited, browser))].filter(({ name }) =>
    new RegExp(values.only ?? "").test(name)
  )
)

let [next, controls, found] = [0, 0, 0]
/** Takes the next state that no other server has taken, until there is none. */
const eachOf = async (states: ReadonlyArray<State>, see: (state: State) => Promise<void>) => {
  for (let state = states[next++]; state !== undefined; state = states[next++]) await see(state)
}

const picture = (folder: string) => async (state: State) => {
  for (const language of languages)
    await state.open(language).then(
      async ({ page, contexts }) => {
        const path = `${folder}/${state.name.replaceAll(/[^a-z0-9]+/gi, "-")}.${language}.png`
        await page.screenshot({ path, fullPage: true })
        await Promise.all(contexts.map((context) => context.close()))
      },
      (error) => {
        found++
        console.error(`${state.name}: ${error}`)
      }
    )
}

const look = async (state: State) => {
  const began = performance.now()
  const walking = values.thoughts ? Promise.resolve({ controls: 0, faults: [] }) : walk(state, languages)
  const result = await walking
    .then(async ({ controls: pressed, faults }) => ({
      controls: pressed,
      faults: [...faults, ...(await thinkTwice(state, languages, values.long))]
    }))
    .catch((error) => ({ controls: 0, faults: [`the walk broke: ${error}`] }))
  controls += result.controls
  found += result.faults.length
  const seconds = Math.round((performance.now() - began) / 1000)
  console.info(
    [
      `${result.faults.length === 0 ? "ok  " : "FAIL"} ${state.name}: ${result.controls} controls, ${seconds} s`,
      ...result.faults.map((fault) => `       ${fault}`)
    ].join("\n")
  )
}

const { pictures } = values
if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
await Promise.all(stages.map((states) => eachOf(states, pictures === undefined ? look : picture(pictures))))
console.info(`${stages[0]?.length} states, ${controls} controls pressed, typed "${TYPED}", ${found} faults`)
await browser.close()
await Promise.all([...servers, limited].map((server) => server.stop()))
process.exit(found === 0 ? 0 : 1)
