/** Launches the service; nothing else does. */
import { BunRuntime } from "@effect/platform-bun"
import { Cause, Console, Effect, Layer } from "effect"
import { SettingsLive } from "./config.ts"
import { App } from "./layers/App.ts"

/** A sentence for whoever started it: most failures of the start are settings, and no stack trace helps there. */
const explain = (cause: Cause.Cause<unknown>) =>
  Cause.isInterruptedOnly(cause)
    ? Effect.void
    : Console.error(
        `Sprechstunde stopped: ${Cause.prettyErrors(cause)
          .map(({ message }) => message)
          .join("; ")}`
      )

Layer.launch(Layer.provide(App, SettingsLive)).pipe(Effect.tapErrorCause(explain), (program) =>
  BunRuntime.runMain(program, { disablePrettyLogger: true, disableErrorReporting: true })
)
