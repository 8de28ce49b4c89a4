import { afterEach } from "bun:test"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Frame,
  type Page
} from "playwright-core"
import { present } from "./body.ts"
import { runFolder } from "./postgres.ts"

/** Debian's path of Chromium; can be overridden. The headless shell needs a third of the processor time to open a page. */
const EXECUTABLES = [
  process.env.TEST_CHROMIUM,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome"
]

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  // other sites are never reached: a link to one ends at once in the browser's own error page
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1"
]

/** Scripts without the optimising compilers, which cost more than they save on a page that lives for seconds. */
export const SHORT_LIVED = "--js-flags=--max-opt=1"
/** The pages of a context share a process; drawing has none of its own. */
const FEW_PROCESSES = ["--renderer-process-limit=1", "--in-process-gpu"]

/**
 * The fake camera's picture: 160 × 120 pixels, ten frames a second that alternate between black and grey. Every frame is
 * encoded, decoded and drawn on the CPU, so a small one keeps the tests' calls cheap.
 */
const cameraFile = () => {
  const [width, height] = [160, 120]
  const picture = (luma: number) => [
    Buffer.from("FRAME\n"),
    Buffer.alloc(width * height, luma),
    Buffer.alloc((width * height) / 2, 128)
  ]
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  const path = join(runFolder(), `camera-${process.pid}.y4m`)
  writeFileSync(path, Buffer.concat([head, ...picture(16), ...picture(128)]))
  return path
}

/** A fake camera with a moving picture and a fake microphone that beeps, allowed without a prompt. */
const fakeMedia = () => [
  "--use-fake-device-for-media-stream",
  `--use-file-for-fake-video-capture=${cameraFile()}`,
  "--use-fake-ui-for-media-stream",
  "--autoplay-policy=no-user-gesture-required",
  "--disable-features=WebRtcHideLocalIpsWithMdns"
]

/** A guard against hanging on a busy machine; no test depends on speed. */
const PATIENCE_MS = Number(process.env.TEST_BROWSER_TIMEOUT_MS ?? 120_000)

export const launchBrowser = (...more: ReadonlyArray<string>) => {
  const executablePath = EXECUTABLES.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined)
    throw new Error("The browser tests need Chromium: apt-get install chromium-headless-shell")
  return chromium.launch({ executablePath, args: [...QUIET, ...fakeMedia(), ...more] })
}

export interface Opened {
  readonly page: Page
  /** The browser's errors: console errors, uncaught errors, CSP violations. */
  readonly complaints: ReadonlyArray<string>
  /** Every requested URL. */
  readonly requests: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** One browser per process, since starting it takes a second of processor time; it ends with the process. */
let shared: Promise<Browser> | undefined

/** A browser that does not start, or crashes, fails only the tests that use it, not the next file's. */
const launched = async () => {
  try {
    const browser = await launchBrowser(SHORT_LIVED, ...FEW_PROCESSES)
    return browser.on("disconnected", () => {
      shared = undefined
    })
  } catch (cause) {
    shared = undefined
    throw cause
  }
}

/** The process's browser, for a file that makes its own contexts and closes them. */
export const sharedBrowser = () => {
  shared ??= launched()
  return shared
}

/** Contexts that no test uses, the last used last, each with an empty page, which keeps its renderer process. */
const idle: Array<{ readonly kind: string; readonly context: BrowserContext }> = []
/** Each has a process of some 60 MiB. */
const MOST_IDLE = 6

const contextWith = async (browser: Browser, options: BrowserContextOptions) => {
  const kind = JSON.stringify(options)
  const at = idle.findLastIndex((one) => one.kind === kind && one.context.browser() === browser)
  const context =
    at >= 0
      ? present(idle.splice(at, 1)[0]).context
      : await browser.newContext({
          locale: "de-DE",
          timezoneId: "Europe/Berlin",
          // what moves is drawn sixty times a second
          reducedMotion: "reduce",
          ...options
        })
  context.setDefaultTimeout(PATIENCE_MS)
  /** Leaves it without pages, cookies and stored values, for the next test. */
  const leave = async () => {
    const pages = context.pages()
    const last = pages.pop()
    if (last === undefined) return context.close()
    await Promise.all(pages.map((page) => page.close()))
    const { origin } = new URL(last.url())
    await last.goto("about:blank")
    await context.clearCookies()
    if (origin !== "null") {
      const session = await context.newCDPSession(last)
      await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "local_storage" })
      await session.detach()
    }
    idle.push({ kind, context })
    if (idle.length > MOST_IDLE) await idle.shift()?.context.close()
  }
  return { context, leave }
}

/**
 * The browser for the tests of one file. Every page that a test opens has a context of its own, without cookies and stored
 * values; tests use them one after the other, since a new renderer process costs more than a page.
 */
export const testBrowser = () => {
  const ends: Array<() => Promise<void>> = []
  afterEach(async () => {
    await Promise.all(ends.splice(0).map((end) => end()))
  })

  const open = async (address: string, { viewport, ...options }: BrowserContextOptions = {}): Promise<Opened> => {
    const { context, leave } = await contextWith(await sharedBrowser(), options)
    ends.push(leave)
    const page = await context.newPage()
    if (viewport) await page.setViewportSize(viewport)
    const complaints: Array<string> = []
    const requests: Array<string> = []
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text())
    })
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("request", (request) => requests.push(request.url()))
    await page.goto(address)
    return { page, complaints, requests, close: () => context.close() }
  }
  return { open }
}

export type TestBrowser = ReturnType<typeof testBrowser>

/** For tests of pages that work without scripts, too. */
export const scripting = [
  ["with JavaScript", true],
  ["without JavaScript", false]
] as const

let script: Promise<string> | undefined
export const axeSource = () => {
  script ??= Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text()
  return script
}

const sessions = new WeakMap<Page, CDPSession>()

/**
 * Half a megabyte, once per document. As a script of its own it is compiled once per process of the browser; Playwright's
 * `evaluate`, which frames need, compiles it for every document.
 */
const loadAxe = async (view: Page | Frame) => {
  if (await view.evaluate(() => Reflect.has(window, "axe"))) return
  if ("page" in view) return view.evaluate(await axeSource())
  const session = sessions.get(view) ?? (await view.context().newCDPSession(view))
  sessions.set(view, session)
  await session.send("Runtime.evaluate", { expression: await axeSource() })
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** The violations that axe-core reports against WCAG 2.2 AA and its best practices, or only against some rules. */
export const accessibilityFaults = async (
  page: Page | Frame,
  rules?: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  await loadAxe(page)
  const runOnly = rules === undefined ? { type: "tag", values: [...WCAG] } : { type: "rule", values: [...rules] }
  return page.evaluate(async (only) => {
    const axe = Reflect.get(window, "axe")
    const { violations } = await axe.run(document, { runOnly: only, resultTypes: ["violations"] })
    return violations.map(
      ({ id, nodes: [first] }: { id: string; nodes: ReadonlyArray<{ html: string; failureSummary: string }> }) =>
        `${id}: ${first?.html} ${first?.failureSummary}`
    )
  }, runOnly)
}
