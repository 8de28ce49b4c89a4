/** Presses every control of a state, and reports where a user would be stuck. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { accessibilityFaults } from "../../tests/support/browser.ts"
import { controlsOf, press, takeBack, typedOn, typeEverywhere, watchRequests } from "./press.ts"
import type { Opened, State } from "./scene.ts"

export const close = ({ contexts }: Opened) => Promise.all(contexts.map((context) => context.close()))

/** The count of each event of each record of an organisation, and of each event of the widget on its page. */
const eventCounts = async ({ server, world, page }: Opened): Promise<ReadonlyMap<string, number>> => {
  const rows = await server.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT type || ' ' || subject AS name, count(*)::int AS count FROM events
        WHERE owner_uid = ${world.organisation_uid} GROUP BY 1`
    )
  )
  const counts = new Map(rows.map(({ name, count }) => [String(name), Number(count)]))
  await page.waitForLoadState() // a link may be leaving the page
  const widgetEvents: ReadonlyArray<string> = await page.evaluate(() => Reflect.get(window, "heard") ?? [])
  for (const type of widgetEvents) counts.set(`widget ${type}`, (counts.get(`widget ${type}`) ?? 0) + 1)
  return counts
}

const axe = async ({ page, view }: Opened, language: string) => {
  const faults: Array<string> = []
  const shown = view()
  if (shown === null) return ["nothing to look at"]
  await controlsOf(shown, []) // also checks collapsed content
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    const found = await accessibilityFaults(shown, colorScheme === "dark" ? ["color-contrast"] : undefined)
    faults.push(...found.map((fault) => `axe, ${language}, ${colorScheme}: ${fault}`))
  }
  await page.emulateMedia({ colorScheme: "light" })
  return faults
}

/** The structural errors of a page: it needs a heading, a language, and a way on. */
export const stuck = async ({ view }: Opened) => {
  const shown = view()
  if (shown === null) return []
  const { headings, ways, lang } = await shown.evaluate(() => ({
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

export interface Walker {
  readonly opened: Opened
  readonly settle: () => Promise<void>
  /** the initial URLs of the page and of the frame in it */
  readonly address: string
  readonly here: string
  /** document statuses and script errors since the last check */
  readonly statuses: Array<number>
  readonly errors: Array<string>
  /** addresses to which forms were sent since */
  readonly posts: Array<string>
}

export const enter = async (state: State, language: string): Promise<Walker> => {
  const opened = await state.open(language)
  const { page, view } = opened
  const statuses: Array<number> = []
  const errors: Array<string> = []
  const posts: Array<string> = []
  page.on("request", (request) => {
    if (request.isNavigationRequest() && request.method() === "POST") posts.push(new URL(request.url()).pathname)
  })
  page.on("response", (response) => {
    if (response.request().isNavigationRequest() && response.frame() === view()) statuses.push(response.status())
  })
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text())
  })
  page.on("dialog", (dialog) => dialog.accept())
  return {
    opened,
    settle: watchRequests(page),
    address: page.url(),
    here: view()?.url() ?? "",
    statuses,
    errors,
    posts
  }
}

/** Presses one control and reports errors of the resulting page. */
const pressAndLook = async (state: State, walker: Walker, name: string): Promise<ReadonlyArray<string>> => {
  const { opened, settle, here, statuses, errors } = walker
  const { page, view, server } = opened
  const start = view()
  if (start === null) return ["the frame is gone"]
  const before = await eventCounts(opened)
  await typeEverywhere(start)
  const typed = await typedOn(start)
  statuses.length = errors.length = 0
  await press(start, name)
  await settle()
  const faults = errors.map((error) => `error: ${error}`)
  const inside = () => {
    const shown = view()
    return shown?.url().startsWith(server.url) === true ? shown : null
  }
  const last = statuses.at(-1)
  if (last !== undefined && last >= 400 && ![409, state.status].includes(last)) faults.push(`status ${last}`)
  for (const [event, count] of await eventCounts(opened))
    if (count > (before.get(event) ?? 0) + 1) faults.push(`${event} came ${count - (before.get(event) ?? 0)} times`)
  // entered text is kept where its fields are, and after returning to them
  const look = async (when: string, isSent: boolean) => {
    const shown = inside()
    if (shown === null) return
    if (!state.anonymous) faults.push(...(await stuck(opened)).map((fault) => when + fault))
    const there = isSent ? {} : await typedOn(shown)
    for (const [field, text] of Object.entries(typed))
      if (text !== "" && field in there && there[field] !== text && field !== "code")
        faults.push(`${when}${field} is lost`)
  }
  const isSent = ((await inside()?.locator(".done").count()) ?? 0) > 0
  await look("", isSent)
  const moved = inside()
  // a page that only sets its language in its URL has no previous page
  if (moved !== null && statuses.length > 0 && moved.url() !== here) {
    if (moved === page.mainFrame()) await page.goBack()
    else await moved.evaluate(() => history.back())
    await settle()
    const back = statuses.at(-1)
    if (back !== undefined && back >= 500 && back !== state.status) faults.push(`Back: status ${back}`)
    await look("Back: ", isSent)
  }
  return faults.map((fault) => `${name}: ${fault}`)
}

const withoutNumbers = (names: ReadonlyArray<string>) =>
  names.map((name) => name.replace(/^\d+ /, "").replace(/\d/g, "")).join()

/** Whether the state is unchanged; reverts changes in place, or reloads the page. */
const restored = async (
  walker: Walker,
  names: ReadonlyArray<string>,
  pressed: string,
  languages: ReadonlyArray<string>
) => {
  const { opened, settle, address, here, statuses } = walker
  const isSame = async () => {
    const view = opened.view()
    if (view === null || (await view.evaluate(() => document.fullscreenElement !== null))) return false
    return withoutNumbers(await controlsOf(view, languages)) === withoutNumbers(names)
  }
  const view = opened.view()
  if (statuses.length === 0 && view?.url().startsWith(opened.server.url) === true) {
    if (await isSame()) return true
    await takeBack(view, pressed, languages[0] ?? "de").catch(() => {})
    await settle()
    if (statuses.length === 0 && (await isSame())) return true
  } else if (view?.url() === here && (await isSame())) return true // Back has returned to it
  await opened.page.goto(address).catch(() => {})
  await settle()
  return isSame().catch(() => false)
}

export interface Walked {
  readonly controls: number
  readonly faults: ReadonlyArray<string>
}

/** Presses the controls of the state in the first language, and checks it with axe in all languages. */
export const walk = async (state: State, languages: ReadonlyArray<string>): Promise<Walked> => {
  const [language = "de", ...others] = languages
  let walker = await enter(state, language)
  const faults = [...(await axe(walker.opened, language))]
  if (!state.anonymous) faults.push(...(await stuck(walker.opened)))
  const start = walker.opened.view()
  const names = start === null ? [] : await controlsOf(start, languages)
  for (const name of names) {
    const found = await pressAndLook(state, walker, name).catch((error) => [`${name}: ${String(error).slice(0, 300)}`])
    faults.push(...found)
    if (name !== names.at(-1) && !(await restored(walker, names, name, languages))) {
      await close(walker.opened)
      walker = await enter(state, language)
      const view = walker.opened.view()
      if (view !== null) await controlsOf(view, languages)
    }
  }
  await close(walker.opened)
  for (const other of others) {
    const opened = await state.open(other)
    faults.push(...(await axe(opened, other)))
    await close(opened)
  }
  return { controls: names.length, faults: [...new Set(faults)] }
}
