/** What every command that needs the database stands on: the services, beside a server that may be running. */
import { Effect, type Layer } from "effect"
import { backstage } from "../layers/App.ts"
import { DatabaseShared } from "../layers/Database.ts"

const services = backstage(DatabaseShared)

/** Runs a command's work with every service of the house; a command sends jobs but works none. */
export const withServices = <A, E, R>(work: Effect.Effect<A, E, R | Layer.Layer.Success<typeof services>>) =>
  Effect.provide(work, services)
