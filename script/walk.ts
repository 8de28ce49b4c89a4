/**
 * `bun run walk [--only REGEXP] [--languages de,ar] [--long] [--thoughts] [--pictures FOLDER]`: presses every control of every hosted page in every state, in Chromium,
 * and checks for dead ends, lost text, duplicate events and errors. Checks each state with axe, in light and dark mode, in
 * each language. Then its second thoughts (`secondThoughts.ts`), with `--long` all of them, and with `--thoughts` these alone. `--pictures` takes a picture of each state instead. Exits with 1 if it found anything. (tests/browser/firefox.long.test.ts runs the main path in
 * Firefox.)
 */
import { mkdirSync } from "node:fs"
import { parseArgs } from "node:util"
import { launchBrowser } from "../tests/support/browser.ts"
import { startServer } from "../tests/support/server.ts"
import { TYPED } from "./walk/press.ts"
import { stageOf } from "./walk/scene.ts"
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
    thoughts: { type: "boolean", default: false }
  }
})

// a sandbox: ten minutes pass by its clock
const server = await startServer({ SANDBOX: "true" })
const limited = await startServer({ RATE_LIMIT_PER_SECOND: "5" })
const browser = await launchBrowser("--auto-select-desktop-capture-source=Entire screen")
const states = [...statesOf(stageOf(server, browser)), ...limitedStates(stageOf(limited, browser))].filter(({ name }) =>
  new RegExp(values.only ?? "").test(name)
)

const { pictures } = values
if (pictures !== undefined) {
  mkdirSync(pictures, { recursive: true })
  for (const state of states)
    for (const language of values.languages.split(","))
      await state.open(language).then(
        async ({ page, contexts }) => {
          const path = `${pictures}/${state.name.replaceAll(/[^a-z0-9]+/gi, "-")}.${language}.png`
          await page.emulateMedia({ reducedMotion: "reduce" })
          await page.screenshot({ path, fullPage: true })
          await Promise.all(contexts.map((context) => context.close()))
        },
        (error) => console.error(`${state.name}: ${error}`)
      )
  process.exit(0)
}

let [controls, found] = [0, 0]
for (const state of states) {
  const began = performance.now()
  const languages = values.languages.split(",")
  const walking = values.thoughts ? Promise.resolve({ controls: 0, faults: [] }) : walk(state, languages)
  const result = await walking
    .then(async ({ controls: pressed, faults }) => ({
      controls: pressed,
      faults: [...faults, ...(await thinkTwice(state, languages[0] ?? "de", values.long))]
    }))
    .catch((error) => ({ controls: 0, faults: [`the walk broke: ${error}`] }))
  controls += result.controls
  found += result.faults.length
  const seconds = Math.round((performance.now() - began) / 1000)
  console.info(
    `${result.faults.length === 0 ? "ok  " : "FAIL"} ${state.name}: ${result.controls} controls, ${seconds} s`
  )
  for (const fault of result.faults) console.info(`       ${fault}`)
}
console.info(`${states.length} states, ${controls} controls pressed, typed "${TYPED}", ${found} faults`)
await browser.close()
await server.stop()
await limited.stop()
process.exit(found === 0 ? 0 : 1)
