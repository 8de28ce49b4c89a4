/** Entry point of the service. */
import "./stackTraces.ts"
import { BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { SettingsLive } from "./config.ts"
import { App } from "./layers/App.ts"
import { explain } from "./layers/explain.ts"
import { restoreStackTraces } from "./stackTraces.ts"
import { build } from "./version.ts"

const report = (cause: Cause.Cause<unknown>) =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(`Sprechstunde stopped: ${explain(cause)}`)

const started = Layer.tap(App, () => Effect.sync(restoreStackTraces))
const service = Layer.launch(Layer.provide(started, SettingsLive)).pipe(Effect.tapErrorCause(report))

BunRuntime.runMain(process.argv.includes("--version") ? Console.log(build) : service, {
  disablePrettyLogger: true,
  disableErrorReporting: true
})
