/** Start-up message for people; with JSON logs a log line instead. */
import { Console, Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { demo } from "../services/provisioning/demo.ts"
import { version } from "../version.ts"

const lines = (baseUrl: string, listensOn: string, hasDemo: boolean) => [
  "",
  `Sprechstunde ${version} is ready.`,
  "",
  `  Interface        ${baseUrl}`,
  `  Documentation    ${baseUrl}/docs`,
  `  Console          ${baseUrl}/console`,
  ...(listensOn === baseUrl ? [] : [`  Listens on       ${listensOn}`]),
  ...(hasDemo
    ? [
        "",
        "  Look at this first",
        `    tour           ${baseUrl}/`,
        `    as a patient   ${baseUrl}/demo/practice`,
        `    as staff       ${baseUrl}/console/sign-in, one press for each person`,
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
  Effect.flatMap(Settings, ({ baseUrl, host, port, embeddedDatabase, demoWorld, logFormat, role }) => {
    const listensOn = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
    const forPeople = (logFormat ?? (embeddedDatabase ? "pretty" : "json")) === "pretty"
    return forPeople && role !== "worker"
      ? Console.log(lines(baseUrl, listensOn, demoWorld).join("\n"))
      : Effect.logInfo(`listening on ${listensOn}`)
  })
)
