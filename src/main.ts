/** Launches the service; nothing else does. */
import { BunRuntime } from "@effect/platform-bun"
import { Layer } from "effect"
import { SettingsLive } from "./config.ts"
import { App } from "./layers/App.ts"

BunRuntime.runMain(Layer.launch(Layer.provide(App, SettingsLive)), { disablePrettyLogger: true })
