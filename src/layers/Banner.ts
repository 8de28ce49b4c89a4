/** Start-up message for people; with JSON logs a log line instead. */
import { Console, Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { Capabilities, type Declarations } from "../declarations.ts"
import { demo } from "../services/demo.ts"
import { version } from "../version.ts"

const lines = (baseUrl: string, listensOn: string, hasDemo: boolean, pages: Declarations["startPages"]) => [
  "",
  `Sprechstunde ${version} is ready.`,
  "",
  `  Interface        ${baseUrl}`,
  `  Documentation    ${baseUrl}/docs`,
  ...Object.entries(pages).map(([title, path]) => `  ${title.padEnd(16)} ${baseUrl}${path}`),
  ...(listensOn === baseUrl ? [] : [`  Listens on       ${listensOn}`]),
  ...(hasDemo
    ? [
        "",
        "  Look at this first",
        `    tour           ${baseUrl}/`,
        `    as a patient   ${baseUrl}/demo/practice`,
        `    as a partner   ${baseUrl}/docs, with the keys below`,
        "",
        "  Demo API keys (public, for this machine only)",
        `    management     ${demo.managementKey}`,
        `    checkout       ${demo.checkoutKey}`,
        `    pharmacy       ${demo.pharmacyKey}`
      ]
    : []),
  ""
]

export const BannerLive = Layer.effectDiscard(
  Effect.gen(function* () {
    const { baseUrl, host, port, embeddedDatabase, demoWorld, logFormat, role } = yield* Settings
    const { on } = yield* Capabilities
    const hasDemo = demoWorld && on.some(({ rootPage }) => rootPage !== undefined)
    const pages = Object.assign({}, ...on.map(({ startPages }) => startPages))
    const listensOn = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
    const forPeople = (logFormat ?? (embeddedDatabase ? "pretty" : "json")) === "pretty"
    yield* forPeople && role !== "worker"
      ? Console.log(lines(baseUrl, listensOn, hasDemo, pages).join("\n"))
      : Effect.logInfo(`listening on ${listensOn}`)
  })
)
