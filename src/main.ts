/** Entry point of the service. */
import { BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { SettingsLive } from "./config.ts"
import { App } from "./layers/App.ts"
import { explain } from "./layers/explain.ts"

const report = (cause: Cause.Cause<unknown>) =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(`Sprechstunde stopped: ${explain(cause)}`)

Layer.launch(Layer.provide(App, SettingsLive)).pipe(Effect.tapErrorCause(report), (program) =>
  BunRuntime.runMain(program, { disablePrettyLogger: true, disableErrorReporting: true })
)
