/** What every command that needs the database stands on: the services, beside a server that may be running. */
import { Effect, Layer } from "effect"
import { Settings } from "../config.ts"
import { backstage } from "../layers/App.ts"
import { DatabaseShared } from "../layers/Database.ts"

/** A command sends jobs and leaves working them to the server, whatever ROLE says. */
const senderOnly = Layer.effect(
  Settings,
  Effect.map(Settings, (settings) => ({ ...settings, role: "http" as const }))
)

const services = backstage(DatabaseShared, Layer.empty).pipe(Layer.provide(senderOnly))

/** Runs a command's work with every service of the house. Logs go where the command line sends them. */
export const withServices = <A, E, R>(work: Effect.Effect<A, E, R | Layer.Layer.Success<typeof services>>) =>
  Effect.provide(work, services)
