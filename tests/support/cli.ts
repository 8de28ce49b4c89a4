/** The operator's command line in the test's process: the same program, settings and output, without a process start. */
import { format } from "node:util"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { runCommand } from "../../src/cli/program.ts"

export interface Ran {
  /** The exit status that the process would have. */
  readonly status: number
  readonly out: string
  readonly err: string
  /** Both streams, in the order of writing. */
  readonly said: string
  /** The last line. */
  readonly last: string
}

/** Captures the output. */
const recorder = () => {
  const lines: Array<{ readonly to: "out" | "err"; readonly text: string }> = []
  const write =
    (to: "out" | "err") =>
    (...values: ReadonlyArray<unknown>) => {
      lines.push({ to, text: `${format(...values)}\n` })
    }
  const unsafe = { ...console, log: write("out"), info: write("out"), error: write("err"), warn: write("err") }
  const effects = {
    log: (...values: ReadonlyArray<unknown>) => Effect.sync(() => unsafe.log(...values)),
    error: (...values: ReadonlyArray<unknown>) => Effect.sync(() => unsafe.error(...values))
  }
  const written = (...to: ReadonlyArray<"out" | "err">) =>
    lines.flatMap((line) => (to.includes(line.to) ? [line.text] : [])).join("")
  return { effects, unsafe, written }
}

/** Runs commands with these settings, and `MASTER_KEY` as the tests' servers have it. */
export const commandLine =
  (environment: Readonly<Record<string, string>>) =>
  async (...args: ReadonlyArray<string>): Promise<Ran> => {
    const { effects, unsafe, written } = recorder()
    const settings = { MASTER_KEY: Buffer.alloc(32, 7).toString("base64"), LOG_FORMAT: "json", ...environment }
    const exit = await Effect.runPromiseExit(
      Effect.consoleWith((given) =>
        Effect.withConsole(runCommand(args), { ...given, ...effects, unsafe: { ...given.unsafe, ...unsafe } })
      ).pipe(Effect.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))))
    )
    const said = written("out", "err")
    return {
      status: Exit.isSuccess(exit) ? 0 : 1,
      out: written("out"),
      err: written("err"),
      said,
      last: said.trim().split("\n").at(-1) ?? ""
    }
  }
