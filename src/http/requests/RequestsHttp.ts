import { HttpApiBuilder } from "@effect/platform"
import { Clock, Effect, FiberRef, Layer } from "effect"
import { RequestLog } from "../../services/access/RequestLog.ts"
import { currentTenancy } from "../../services/Tenancy.ts"
import { Api } from "../Api.ts"

export const RequestsHttp = HttpApiBuilder.group(Api, "requests", (handlers) =>
  Effect.map(RequestLog, ({ latest }) =>
    handlers.handle("list", ({ urlParams: { limit } }) =>
      Effect.zipWith(FiberRef.get(currentTenancy), Clock.currentTimeMillis, ({ request }, now) => ({
        data: request === null ? [] : latest(request.actor.uid, limit, now / 1000)
      }))
    )
  )
).pipe(Layer.provide(RequestLog.Default))
