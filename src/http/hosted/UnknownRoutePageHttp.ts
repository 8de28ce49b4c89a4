import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import { UnknownRoutePage } from "../server/UnknownRoutePage.ts"
import { unknownPage, welcomePage } from "./serving/noticeContent.tsx"
import { Respond } from "./serving/Respond.tsx"
import { visitOf } from "./serving/visit.ts"

/** A welcome page at the root of the service and of its pages, or what a capability has there while a demo runs; 404 at every other unknown path. */
export const UnknownRoutePageHttp = Layer.effect(
  UnknownRoutePage,
  Effect.map(Effect.all([Respond, Settings, Capabilities]), ([respond, { baseUrl, demoWorld }, { on }]) =>
    Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const visit = yield* visitOf("")
      const path = url.replace(/\/?(?:\?.*)?$/s, "")
      const isRoot = path === "" || path === respond.prefix
      const own = demoWorld && path === "" ? on.find(({ rootPage }) => rootPage !== undefined) : undefined
      const root = own?.rootPage?.(visit, baseUrl) ?? welcomePage(visit)
      return respond.page(visit, null, isRoot ? root : unknownPage(visit))
    })
  )
).pipe(Layer.provide(Respond.Default))
