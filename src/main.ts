/** Entry point of the service. */
import "./starting.ts"

import { BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { installed } from "./capabilities/index.ts"
import { SettingsLive } from "./config.ts"
import { appOf } from "./layers/App.ts"
import { explain } from "./layers/explain.ts"
import { build } from "./version.ts"

const report = (cause: Cause.Cause<unknown>) =>
  Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(`Sprechstunde stopped: ${explain(cause)}`)

const ready = Layer.effectDiscard(Effect.sync(() => Bun.unsafe.setJITPolicy(1)))
const service = Layer.launch(Layer.provide(ready.pipe(Layer.provide(appOf(installed))), SettingsLive)).pipe(
  Effect.tapErrorCause(report)
)

BunRuntime.runMain(process.argv.includes("--version") ? Console.log(build) : service, {
  disablePrettyLogger: true,
  disableErrorReporting: true
})
