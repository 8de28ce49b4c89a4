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
    const browser = await launchBrowser(SHORT_LIVED)
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

/** The browser for the tests of one file; every page has its own context, and therefore profile, which ends with the test. */
export const testBrowser = () => {
  const contexts: Array<BrowserContext> = []
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })

  const open = async (address: string, options: BrowserContextOptions = {}): Promise<Opened> => {
    const browser = await sharedBrowser()
    const context = await browser.newContext({
      locale: "de-DE",
      timezoneId: "Europe/Berlin",
      // what moves is drawn sixty times a second
      reducedMotion: "reduce",
      ...options
    })
    contexts.push(context)
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
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

let script: Promise<string> | undefined
const axe = () => {
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
  if ("page" in view) return view.evaluate(await axe())
  const session = sessions.get(view) ?? (await view.context().newCDPSession(view))
  sessions.set(view, session)
  await session.send("Runtime.evaluate", { expression: await axe() })
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
