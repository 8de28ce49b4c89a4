/** Real processes of the service and of the programs around it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "../../script/build.ts"
import { ROOT } from "../../src/paths.ts"
import { eventually } from "./eventually.ts"
import { freePort } from "./ports.ts"

export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), "sprechstunde-test-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false
  )

export interface Running {
  readonly pid: number
  /** Its output so far, both streams. */
  readonly said: () => string
  /** Resolves when it has exited; programs that it started may still write to its output. */
  readonly exited: Promise<number>
  /** Its exit status, when it has exited and its output is complete. */
  readonly ended: Promise<number>
  /** Sends a signal to end it, and waits for its exit. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number>
}

/** Starts a program and collects its output. */
export const run = (
  command: ReadonlyArray<string>,
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {}
): Running => {
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...options.env },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  let said = ""
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) said += new TextDecoder().decode(chunk)
  }
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)])
  const ended = collected.then(() => child.exited)
  return {
    pid: child.pid,
    said: () => said,
    exited: child.exited,
    ended,
    stop: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    }
  }
}

await build()

/** Starts the service and the operator's command line as installed: from the bundle. */
export const SERVICE: ReadonlyArray<string> = [process.execPath, "--no-install", join(ROOT, "dist/main.js")]
export const COMMAND_LINE: ReadonlyArray<string> = [process.execPath, "--no-install", join(ROOT, "dist/cli.js")]

export interface Service extends Running {
  readonly url: string
  readonly port: number
}

/** The service in its own process; resolves when it is ready. */
export const startService = async (
  env: Readonly<Record<string, string>>,
  {
    command = SERVICE,
    cwd,
    port = freePort()
  }: {
    readonly command?: ReadonlyArray<string>
    readonly cwd?: string
    readonly port?: number
  } = {}
): Promise<Service> => {
  const url = `http://127.0.0.1:${port}`
  const settings = {
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    RATE_LIMIT_PER_SECOND: "0",
    RATE_LIMIT_KEY_PER_SECOND: "0",
    LOG_FORMAT: "json",
    ...env,
    HOST: "127.0.0.1",
    PORT: String(port)
  }
  const running = run(command, { env: settings, ...(cwd === undefined ? {} : { cwd }) })
  let ended = false
  void running.ended.then(() => {
    ended = true
  })
  await eventually(
    async () => {
      if (ended) throw new Error(`The service has ended: ${running.said()}`)
      return (await answers(`${url}/readyz`)) ? "ready" : running.said()
    },
    (state) => state === "ready",
    300
  )
  return { ...running, url, port }
}
