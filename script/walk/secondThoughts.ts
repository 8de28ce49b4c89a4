/**
 * Second thoughts of a user in a state: reload, Back and Forward, a second tab, ten minutes, the practice's change meanwhile, other sizes and
 * fonts. Reports where a browser would ask to send a form again, where the thing just done is out of view, where a page has no next step, and
 * where text breaks inside a time or a word.
 */
import { Effect } from "effect"
import type { Frame } from "playwright-core"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { typedOn, typeEverywhere } from "./press.ts"
import { change, type Opened, type State } from "./scene.ts"
import { close, enter, stuck, type Walker } from "./walker.ts"

type Faults = ReadonlyArray<string>
type Thought = (walker: Walker, state: State) => Promise<Faults>

/** A call cannot be held twice, and asks before it is left. */
type Kind = "page" | "widget" | "call"

const kindOf = ({ page, view }: Opened): Kind =>
  page.url().includes("/meeting/") ? "call" : view() === page.mainFrame() ? "page" : "widget"

/** What a form has done, else the heading: null if it is in view, else where it is. */
const outOfView = async ({ page, view }: Opened): Promise<Faults> => {
  const shown = view()
  if (shown === null) return []
  const said = await shown.evaluate(() => {
    const notices = [...document.querySelectorAll("[data-notice], [role=alert]")]
    const notice = notices.find((one) => one.checkVisibility() && one.textContent !== "")
    const element = notice ?? document.querySelector("h1")
    return { top: element?.getBoundingClientRect().top ?? 0, text: element?.textContent?.slice(0, 40) ?? "" }
  })
  const frame = shown === page.mainFrame() ? null : await (await shown.frameElement()).boundingBox()
  const top = Math.round(said.top + (frame?.y ?? 0))
  const height = page.viewportSize()?.height ?? 0
  return top >= -1 && top < height ? [] : [`"${said.text}" is out of view, at ${top} of ${height}`]
}

/** The state of the page after a navigation that sent no form. */
const look = async ({ opened, statuses, errors, posts }: Walker, state: State, when: string): Promise<Faults> => {
  const last = statuses.at(-1)
  const isKnown = last === undefined || last < 400 || [404, 409, 410, state.status].includes(last)
  const faults = [
    ...(posts.length > 0 ? [`the browser would ask to send a form again: ${posts.join()}`] : []),
    ...(isKnown ? [] : [`status ${last}`]),
    ...errors.map((error) => `error: ${error}`),
    ...(state.anonymous === true ? [] : await stuck(opened))
  ]
  return faults.map((fault) => `${when}: ${fault}`)
}

const begin = ({ statuses, errors, posts }: Walker) => {
  statuses.length = errors.length = posts.length = 0
}

const reload: Thought = async (walker, state) => {
  const { opened, settle } = walker
  const before = opened.view()
  if (before === null) return []
  await typeEverywhere(before)
  const typed = await typedOn(before)
  begin(walker)
  await opened.page.reload()
  await settle()
  const after = opened.view()
  const there = after === null ? {} : await typedOn(after)
  const lost = Object.entries(typed).filter(
    ([name, text]) => text !== "" && name in there && name !== "code" && there[name] !== text
  )
  return [...(await look(walker, state, "reload")), ...lost.map(([name]) => `reload: ${name} is lost`)]
}

const backAndForward: Thought = async (walker, state) => {
  const { opened, settle } = walker
  const isThere = () => opened.view()?.url().startsWith(opened.server.url) === true
  begin(walker)
  await opened.page.goBack().catch(() => null)
  await settle()
  const back = isThere() ? await look(walker, state, "Back") : []
  begin(walker)
  await opened.page.goForward().catch(() => null)
  await settle()
  return isThere() ? [...back, ...(await look(walker, state, "Forward"))] : back
}

const secondTab: Thought = async ({ opened }, state) => {
  const { page } = opened
  const heading = await page.locator("h1").first().textContent()
  const tab = await page.context().newPage()
  const answer = await tab.goto(page.url())
  const there = await tab.locator("h1").first().textContent()
  await tab.close()
  const status = answer?.status() ?? 0
  if (status >= 500 && status !== state.status) return [`second tab: status ${status}`]
  return heading === there ? [] : [`second tab: "${there}" instead of "${heading}"`]
}

/** Presses the page's main button, if it is a form's. */
const pressMain = async ({ opened, settle }: Walker) => {
  const main = opened.view()?.locator('form button[type="submit"].primary:visible').first()
  if (main === undefined || (await main.count()) === 0) return
  await main.click()
  await settle()
}

/** The page that was left open is loaded again, and then its main button is pressed. */
const comeBack = async (walker: Walker, state: State, when: string): Promise<Faults> => {
  const then = `${when}, then the main button`
  const { opened, settle, address } = walker
  begin(walker)
  await pressMain(walker)
  // a browser that asks for a required field goes to it
  const unseen = walker.posts.length === 0 ? [] : await outOfView(opened)
  walker.posts.length = 0
  const pressed = [...(await look(walker, state, then)), ...unseen.map((fault) => `${then}: ${fault}`)]
  begin(walker)
  await opened.page.goto(address)
  await settle()
  return [...pressed, ...(await look(walker, state, when))]
}

/** Ten minutes by the domain's clock, which then goes back; only on a server with SANDBOX=true. */
const tenMinutes: Thought = async (walker, state) => {
  const { server } = walker.opened
  await server.run(Effect.flatMap(DomainClock, ({ advance }) => advance(600)))
  try {
    return await comeBack(walker, state, "ten minutes later")
  } finally {
    await server.run(Effect.flatMap(DomainClock, ({ restore }) => restore))
  }
}

/** The practice closes all hours and cancels every appointment while the page is open. */
const changeMeanwhile: Thought = async (walker, state) => {
  const { server, world } = walker.opened
  await change(
    walker.opened,
    (sql, owner) => sql`UPDATE availability_rules SET active = false WHERE organisation_uid = ${owner}`
  )
  const confirmed = await server.query(
    "SELECT uid FROM appointments WHERE organisation_uid = $1 AND status = 'confirmed'",
    [world.organisation_uid]
  )
  for (const { uid } of confirmed)
    await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "ill" })
  return comeBack(walker, state, "the practice's change meanwhile")
}

/** The main button of a form: what it did is in view. */
const done: Thought = async (walker) => {
  const main = walker.opened.view()?.locator('form button[type="submit"].primary:visible').first()
  if (main === undefined || (await main.count()) === 0) return []
  await typeEverywhere(walker.opened.view() as Frame)
  begin(walker)
  await pressMain(walker)
  // a browser that asks for a required field goes to it
  if (walker.posts.length === 0) return []
  return (await outOfView(walker.opened)).map((fault) => `main button: ${fault}`)
}

/** Times and words that break inside, texts that do not fit their control, and whether the page is wider than the screen. */
const unfit = (view: Frame, family: string, size: number): Promise<Faults> =>
  view.evaluate(
    ([name, pixels]) => {
      document.documentElement.style.setProperty("--font", String(name))
      document.documentElement.style.fontSize = `${pixels}px`
      const found: Array<string> = []
      const range = document.createRange()
      const context = document.createElement("canvas").getContext("2d")
      const linesOf = (node: Text, at: number, length: number) => {
        range.setStart(node, at)
        range.setEnd(node, at + length)
        return new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)))
          .size
      }
      /** Whether the word would fit a line of its block. */
      const fits = (word: string, parent: Element) => {
        let block = parent
        while (getComputedStyle(block).display === "inline" && block.parentElement !== null) block = block.parentElement
        const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(block)
        if (context === null) return true
        context.font = getComputedStyle(parent).font || font
        const room = block.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
        // an icon beside it
        const beside = getComputedStyle(block).display.includes("flex") ? 40 : 2
        return context.measureText(word).width < room - beside
      }
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const parent = node.parentElement
        if (!(node instanceof Text) || parent === null || !parent.checkVisibility()) continue
        if (parent.closest("script, style, noscript, textarea, select, svg, .unseen, .trap, .skip") !== null) continue
        if (linesOf(node, 0, node.data.length) < 2) continue
        for (const { 0: time, index } of node.data.matchAll(/\d{1,2}:\d{2}/g))
          if (linesOf(node, index, time.length) > 1) found.push(`the time ${time} breaks`)
        // an address has no place for a break
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}\p{N}_@.]{3,}/gu))
          if (linesOf(node, index, word.length) > 1 && fits(word, parent)) found.push(`the word ${word} breaks`)
      }
      for (const control of document.querySelectorAll<HTMLElement>(
        ".time, .strip a, button, .primary, .secondary, .quiet"
      ))
        if (control.checkVisibility() && control.closest(".unseen, .trap") === null)
          if (control.scrollWidth > control.clientWidth + 1 && control.clientWidth > 1)
            found.push(`"${control.textContent?.trim().slice(0, 30)}" does not fit`)
      if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the screen")
      document.documentElement.style.removeProperty("--font")
      document.documentElement.style.fontSize = ""
      return [...new Set(found)]
    },
    [family, size] as const
  )

interface Look {
  readonly width: number
  readonly height: number
  readonly sizes: ReadonlyArray<number>
  readonly families: ReadonlyArray<string>
}
const FAMILIES = ["Roboto", "Noto Sans", "monospace"]
const SIZES = [16, 20, 24]
const screens = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1440, 900],
  [844, 390]
] as const
const everyLook: ReadonlyArray<Look> = screens.map(([width, height]) => ({
  width,
  height,
  sizes: SIZES,
  families: FAMILIES
}))
/** The narrowest with the largest letters, a phone held sideways, and a desktop. */
const fewLooks: ReadonlyArray<Look> = [
  { width: 320, height: 640, sizes: [24], families: ["monospace"] },
  { width: 844, height: 390, sizes: [16], families: ["Roboto"] },
  { width: 1440, height: 900, sizes: [16], families: ["Noto Sans"] }
]

const looks =
  (some: ReadonlyArray<Look>): Thought =>
  async ({ opened }) => {
    const faults: Array<string> = []
    const before = opened.page.viewportSize()
    for (const { width, height, sizes, families } of some) {
      await opened.page.setViewportSize({ width, height })
      for (const family of families)
        for (const size of sizes) {
          const view = opened.view()
          const found = view === null ? [] : await unfit(view, family, size)
          faults.push(...found.map((fault) => `${width} × ${height}, ${family} of ${size} px: ${fault}`))
        }
    }
    if (before !== null) await opened.page.setViewportSize(before)
    return faults
  }

interface Named {
  readonly name: string
  readonly think: Thought
  readonly of: ReadonlyArray<Kind>
}

const sizes = (isLong: boolean): Named => ({
  name: "sizes",
  think: looks(isLong ? everyLook : fewLooks),
  of: ["page", "widget", "call"]
})

/** They follow each other on one page: none but the last changes what is stored. */
const onOnePage = (isLong: boolean): ReadonlyArray<Named> => [
  sizes(isLong),
  { name: "second tab", think: secondTab, of: ["page"] },
  { name: "reload", think: reload, of: ["page", "widget"] },
  { name: "back and forward", think: backAndForward, of: ["page"] },
  { name: "done", think: done, of: ["page", "widget"] }
]
const onNewPages: ReadonlyArray<Named> = [
  { name: "change meanwhile", think: changeMeanwhile, of: ["page"] },
  { name: "ten minutes", think: tenMinutes, of: ["page"] }
]

/** In the first language all, in the others sizes and fonts. The long form needs a server with SANDBOX=true. */
export const thinkTwice = async (
  state: State,
  [language = "de", ...others]: ReadonlyArray<string>,
  isLong: boolean
): Promise<Faults> => {
  const faults: Array<string> = []
  const onPage = async (thoughts: ReadonlyArray<Named>, said: string) => {
    const walker = await enter(state, said)
    const kind = kindOf(walker.opened)
    for (const { name, think } of thoughts.filter(({ of }) => of.includes(kind)))
      faults.push(...(await think(walker, state).catch((error) => [`${name} broke: ${String(error).slice(0, 300)}`])))
    await close(walker.opened)
    return kind
  }
  // a rate limit is a state of its own
  if (state.status === 429) return faults
  const kind = await onPage(onOnePage(isLong), language)
  if (isLong) for (const one of onNewPages.filter(({ of }) => of.includes(kind))) await onPage([one], language)
  for (const other of others) await onPage([sizes(isLong)], other)
  return [...new Set(faults)]
}
