/** Entry point of the service. */
import { BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { SettingsLive } from "./config.ts"
import { App } from "./layers/App.ts"
import { explain } from "./layers/explain.ts"
import { build } from "./version.ts"

const report = (cause: Cause.Cause<unknown>) =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(`Sprechstunde stopped: ${explain(cause)}`)

const service = Layer.launch(Layer.provide(App, SettingsLive)).pipe(Effect.tapErrorCause(report))

BunRuntime.runMain(process.argv.includes("--version") ? Console.log(build) : service, {
  disablePrettyLogger: true,
  disableErrorReporting: true
})
