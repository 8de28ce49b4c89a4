/**
 * `bun run walk [--only REGEXP] [--languages de,ar]`: presses every control of every hosted page in every state, in Chromium,
 * and checks for dead ends, lost text, duplicate events and errors. Checks each state with axe, in light and dark mode, in
 * each language. Exits with 1 if it found anything. (tests/browser/firefox.long.test.ts runs the main path in
 * Firefox.)
 */
import { parseArgs } from "node:util"
import { launchBrowser } from "../tests/support/browser.ts"
import { startServer } from "../tests/support/server.ts"
import { TYPED } from "./walk/press.ts"
import { stageOf } from "./walk/scene.ts"
import { limitedStates } from "./walk/states/other.ts"
import { statesOf } from "./walk/states.ts"
import { walk } from "./walk/walker.ts"

const { values } = parseArgs({
  options: { only: { type: "string" }, languages: { type: "string", default: "de,ar" } }
})

const server = await startServer()
const limited = await startServer({ RATE_LIMIT_PER_SECOND: "5" })
const browser = await launchBrowser("--auto-select-desktop-capture-source=Entire screen")
const states = [...statesOf(stageOf(server, browser)), ...limitedStates(stageOf(limited, browser))].filter(({ name }) =>
  new RegExp(values.only ?? "").test(name)
)

let [controls, found] = [0, 0]
for (const state of states) {
  const began = performance.now()
  const result = await walk(state, values.languages.split(",")).catch((error) => ({
    controls: 0,
    faults: [`the walk broke: ${error}`]
  }))
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
