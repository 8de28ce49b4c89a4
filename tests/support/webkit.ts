/** Debian's WebKitGTK over WebDriver: Safari's engine, of a version that is two or three months old, without WebRTC. */
import { Glob } from "bun"
import { eventually } from "./eventually.ts"
import { freePort } from "./ports.ts"
import { ensureTools } from "./tools.ts"

const ARGUMENTS = [
  "--automation",
  // with the errors of pages, which are read from the driver's output
  "--enable-write-console-messages-to-stdout=true",
  // a camera and a microphone of its own, allowed without a prompt
  "--enable-media-stream=true",
  "--enable-mock-capture-devices=true",
  "--features=-MockCaptureDevicesPrompt,-GetUserMediaRequiresFocus",
  "--media-playback-requires-user-gesture=false"
]
/** The key of an element in answers of WebDriver (W3C). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

/** What it prints, line by line. */
const linesOf = async (stream: ReadableStream<Uint8Array>, take: (line: string) => void) => {
  let rest = ""
  for await (const chunk of stream) {
    const lines = (rest + new TextDecoder().decode(chunk)).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) take(line)
  }
}

export const startWebKit = async () => {
  ensureTools("WebKitWebDriver", "Xvfb")
  const [binary] = new Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").scanSync({ cwd: "/", absolute: true })
  // it chooses a free display and names it
  const screen = Bun.spawn(["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"], {
    stdout: "pipe",
    stderr: "ignore"
  })
  let display = ""
  void linesOf(screen.stdout, (line) => {
    display = line
  })
  await eventually(
    async () => display,
    (name) => name !== ""
  )
  const port = freePort()
  const driver = Bun.spawn(["WebKitWebDriver", `--port=${port}`, "--host=127.0.0.1"], {
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      TZ: "Europe/Berlin",
      NO_AT_BRIDGE: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1"
    },
    stdout: "pipe",
    stderr: "pipe"
  })
  const complaints: Array<string> = []
  const collect = (line: string) => {
    if (/CONSOLE .*(ERROR|EXCEPTION)/i.test(line)) complaints.push(line)
  }
  void linesOf(driver.stdout, collect)
  void linesOf(driver.stderr, collect)

  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const { value } = await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  await eventually(
    () => ask("GET", "/status").catch(() => undefined),
    (status) => status !== undefined
  )
  const { sessionId } = await ask("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary, args: ARGUMENTS } } }
  })
  const session = `/session/${sessionId}`

  /** Runs a function in the page. Gives its result, or its promise's, as JSON. */
  const evaluate = async <A, B extends ReadonlyArray<unknown>>(
    body: (...given: B) => A,
    ...given: B
  ): Promise<Awaited<A>> => {
    const { done, failed } = await ask("POST", `${session}/execute/async`, {
      script: `const [given, answer] = arguments
        Promise.resolve(given).then((all) => (${body})(...all))
          .then((done) => answer({ done }), (cause) => answer({ failed: String(cause) }))`,
      args: [given]
    })
    if (failed !== undefined) throw new Error(failed)
    return done
  }

  /** Waits until the function of the page gives something true. */
  const until = <B extends ReadonlyArray<unknown>>(body: (...given: B) => unknown, ...given: B) =>
    eventually(() => evaluate(body, ...given).catch(() => false), Boolean)

  const element = async (css: string): Promise<string> => {
    await until((wanted) => document.querySelector(wanted) !== null, css)
    const found = await ask("POST", `${session}/element`, { using: "css selector", value: css })
    return `${session}/element/${found[ELEMENT]}`
  }

  return {
    complaints,
    open: (url: string) => ask("POST", `${session}/url`, { url }),
    /** Runs a script in the page, whatever its Content Security Policy. */
    run: (script: string) => ask("POST", `${session}/execute/sync`, { script, args: [] }),
    evaluate,
    until,
    press: async (css: string) => ask("POST", `${await element(css)}/click`, {}),
    type: async (css: string, text: string) => ask("POST", `${await element(css)}/value`, { text }),
    resize: (width: number, height: number) => ask("POST", `${session}/window/rect`, { width, height }),
    stop: async () => {
      await ask("DELETE", session)
      for (const child of [driver, screen]) {
        child.kill()
        await child.exited
      }
    }
  }
}
