/**
 * `bun run walk [--only REGEXP] [--languages de,ar]`: presses every control of every hosted page in every state, in Chromium,
 * and looks whether somebody gets stuck: no way on or back, text that is lost, an event twice, an error. Looks at each state
 * with axe, in light and dark, in each language. Exits with 1 where it found anything. (The main path in Firefox is walked by
 * tests/browser/firefox.test.ts.)
 */
import { parseArgs } from "node:util"
import { accessibilityFaults, launchBrowser } from "../tests/support/browser.ts"
import { startServer } from "../tests/support/server.ts"
import { controlsOf, press, TYPED, typedOn, typeEverywhere, watchRequests } from "./walk/press.ts"
import { eventCounts, type Opened, type State, statesOf } from "./walk/states.ts"

const { values } = parseArgs({
  options: { only: { type: "string" }, languages: { type: "string", default: "de,ar" } }
})

const server = await startServer({ RATE_LIMIT_PER_SECOND: "0" })
const browser = await launchBrowser("--auto-select-desktop-capture-source=Entire screen")
const states = statesOf(server, browser).filter(({ name }) => new RegExp(values.only ?? "").test(name))
const [walked = "de", ...looked] = values.languages.split(",")

const close = ({ contexts }: Opened) => Promise.all(contexts.map((context) => context.close()))

const axe = async ({ page }: Opened, language: string) => {
  const faults: Array<string> = []
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    const found = await accessibilityFaults(page, colorScheme === "dark" ? ["color-contrast"] : undefined)
    faults.push(...found.map((fault) => `axe, ${language}, ${colorScheme}: ${fault}`))
  }
  await page.emulateMedia({ colorScheme: "light" })
  return faults
}

/** What is wrong with a page as a place to be in: it has a heading, and a way on. */
const stuck = async ({ page }: Opened) => {
  const { headings, ways, lang } = await page.evaluate(() => ({
    headings: document.querySelectorAll("h1").length,
    ways: document.querySelectorAll("main a[href], main button, main summary, .colophon a[href]").length,
    lang: document.documentElement.lang
  }))
  return [
    ...(headings === 1 ? [] : [`${headings} headings`]),
    ...(ways > 0 ? [] : ["no way on"]),
    ...(lang === "" ? ["no language"] : [])
  ]
}

interface Walker {
  readonly opened: Opened
  readonly settle: () => Promise<void>
  readonly address: string
  /** statuses of documents, and errors of scripts, since the last look */
  readonly statuses: Array<number>
  readonly errors: Array<string>
}

const enter = async (state: State): Promise<Walker> => {
  const opened = await state.open(walked)
  const { page } = opened
  const statuses: Array<number> = []
  const errors: Array<string> = []
  page.on("response", (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      statuses.push(response.status())
  })
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text())
  })
  page.on("dialog", (dialog) => dialog.accept())
  // what leads out of the service is known by its address
  await page.context().route(
    (url) => url.origin !== server.url,
    (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<html lang=en><title>elsewhere</title><h1>elsewhere</h1><main><a href=/>x</a></main>"
      })
  )
  return { opened, settle: watchRequests(page), address: page.url(), statuses, errors }
}

/** Presses one control and tells what is wrong with where that leads. */
const pressAndLook = async (state: State, walker: Walker, name: string): Promise<ReadonlyArray<string>> => {
  const { opened, settle, address, statuses, errors } = walker
  const { page, world } = opened
  const before = await eventCounts(server, world)
  await typeEverywhere(page)
  const typed = await typedOn(page)
  statuses.length = errors.length = 0
  await press(page, name)
  await settle()
  const faults = [...errors.map((error) => `error: ${error}`)]
  const isHere = page.url().startsWith(server.url)
  if (isHere && !state.anonymous) faults.push(...(await stuck(opened)))
  const last = statuses.at(-1)
  if (last !== undefined && last >= 400 && ![409, state.status].includes(last)) faults.push(`status ${last}`)
  for (const [event, count] of await eventCounts(server, world))
    if (count > (before.get(event) ?? 0) + 1) faults.push(`${event} came ${count - (before.get(event) ?? 0)} times`)
  // what was typed is there where its fields are, and after going back to them
  const isSent = (await page.locator(".done").count()) > 0
  const lost = async () => {
    const there = await typedOn(page)
    return Object.entries(typed)
      .filter(([field, text]) => text !== "" && field in there && there[field] !== text && field !== "code")
      .map(([field]) => `${field} is lost`)
  }
  if (isHere && !isSent) faults.push(...(await lost()))
  if (page.url() !== address && isHere) {
    await page.goBack()
    await settle()
    const back = statuses.at(-1)
    if (back !== undefined && back >= 500) faults.push(`Back: status ${back}`)
    if (page.url().startsWith(server.url)) {
      if (!state.anonymous) faults.push(...(await stuck(opened)).map((fault) => `Back: ${fault}`))
      if (!isSent) faults.push(...(await lost()).map((fault) => `Back: ${fault}`))
    }
  }
  return faults.map((fault) => `${name}: ${fault}`)
}

/** Presses everything that the state offers; opens it anew wherever a press has changed it. */
const walk = async (state: State) => {
  let walker = await enter(state)
  const first = walker.opened.page
  const faults = [...(await axe(walker.opened, walked))]
  if (!state.anonymous) faults.push(...(await stuck(walker.opened)))
  const names = await controlsOf(first)
  const label = (name: string) => name.replace(/^\d+ /, "").replace(/\d/g, "")
  for (const name of names) {
    faults.push(
      ...(await pressAndLook(state, walker, name).catch((error) => [`${name}: ${String(error).slice(0, 300)}`]))
    )
    const { opened, settle, address } = walker
    await opened.page.goto(address).catch(() => {})
    await settle()
    const again = await controlsOf(opened.page).catch(() => [])
    if (again.map(label).join() !== names.map(label).join()) {
      await close(opened)
      walker = await enter(state)
      await controlsOf(walker.opened.page)
    }
  }
  await close(walker.opened)
  for (const language of looked) {
    const opened = await state.open(language)
    faults.push(...(await axe(opened, language)))
    await close(opened)
  }
  return { controls: names.length, faults: [...new Set(faults)] }
}

let [controls, found] = [0, 0]
for (const state of states) {
  const result = await walk(state).catch((error) => ({ controls: 0, faults: [`the walk broke: ${error}`] }))
  controls += result.controls
  found += result.faults.length
  console.info(`${result.faults.length === 0 ? "ok  " : "FAIL"} ${state.name}: ${result.controls} controls`)
  for (const fault of result.faults) console.info(`       ${fault}`)
}
console.info(`${states.length} states, ${controls} controls pressed, typed "${TYPED}", ${found} faults`)
await browser.close()
await server.stop()
process.exit(found === 0 ? 0 : 1)
