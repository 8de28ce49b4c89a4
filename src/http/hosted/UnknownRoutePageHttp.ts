import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { UnknownRoutePage } from "../server/UnknownRoutePage.ts"
import { unknownPage, welcomePage } from "./serving/noticeContent.tsx"
import { Respond } from "./serving/Respond.tsx"
import { visitOf } from "./serving/visit.ts"

/** A welcome page at the root of the service and of its pages; 404 at every other unknown path. */
export const UnknownRoutePageHttp = Layer.effect(
  UnknownRoutePage,
  Effect.map(Respond, (respond) =>
    Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      const visit = yield* visitOf("")
      const path = url.replace(/\/?(?:\?.*)?$/s, "")
      const isRoot = path === "" || path === respond.prefix
      return respond.page(visit, null, isRoot ? welcomePage(visit, "/docs") : unknownPage(visit))
    })
  )
).pipe(Layer.provide(Respond.Default))
