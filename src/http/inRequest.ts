/**
 * What runs within a request has its tenant: `observed` provides it once to each request. The framework's types know only its own services
 * of a request, so it is said here.
 */
import { HttpApiBuilder, type HttpRouter } from "@effect/platform"
import type { Context, Effect, Layer } from "effect"
import type { CurrentTenant } from "../services/tenancy/Tenancy.ts"

/** Code that the framework runs within a request. */
export const inRequest = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect as Effect.Effect<A, E, Exclude<R, CurrentTenant>>

/** Layers of handlers, which the framework runs within a request. */
export const handledInRequest = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  layer as Layer.Layer<A, E, Exclude<R, CurrentTenant>>

/** What the handler of a route may require. */
export type InRequest = HttpRouter.HttpRouter.DefaultServices | HttpRouter.HttpRouter.Provided | CurrentTenant

/** The routes of pages and of other answers outside of the API. */
export const Routes = HttpApiBuilder.Router as unknown as HttpRouter.HttpRouter.TagClass<
  HttpApiBuilder.Router,
  "@effect/platform/HttpApiBuilder/Router",
  unknown,
  HttpRouter.HttpRouter.DefaultServices | CurrentTenant
>
export type Router = Context.Tag.Service<typeof Routes>
