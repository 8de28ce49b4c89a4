/** Start-up message for people; with JSON logs a log line instead. */
import { Console, Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { Capabilities, type Declarations } from "../declarations.ts"
import { version } from "../version.ts"

const lines = (baseUrl: string, listensOn: string, pages: Declarations["startPages"], more: ReadonlyArray<string>) => [
  "",
  `Sprechstunde ${version} is ready.`,
  "",
  `  Interface        ${baseUrl}`,
  `  Documentation    ${baseUrl}/docs`,
  ...Object.entries(pages).map(([title, path]) => `  ${title.padEnd(16)} ${baseUrl}${path}`),
  ...(listensOn === baseUrl ? [] : [`  Listens on       ${listensOn}`]),
  ...more,
  ""
]

export const BannerLive = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { baseUrl, host, port, embeddedDatabase, logFormat, role } = settings
    const { on } = yield* Capabilities
    const pages = Object.assign({}, ...on.map(({ startPages }) => startPages))
    const more = on.flatMap(({ startLines }) => startLines(settings))
    const listensOn = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
    const forPeople = (logFormat ?? (embeddedDatabase ? "pretty" : "json")) === "pretty"
    yield* forPeople && role !== "worker"
      ? Console.log(lines(baseUrl, listensOn, pages, more).join("\n"))
      : Effect.logInfo(`listening on ${listensOn}`)
  })
)
