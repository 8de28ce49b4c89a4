import { Clock, Effect, Layer } from "effect"
import { RequestLog } from "../../services/access/RequestLog.ts"
import { currentTenancy } from "../../services/tenancy/Tenancy.ts"
import { group } from "../group.ts"

export const RequestsHttp = group("requests", (handlers) =>
  Effect.map(RequestLog, ({ latest }) =>
    handlers.handle("list", ({ urlParams: { limit } }) =>
      Effect.zipWith(currentTenancy, Clock.currentTimeMillis, ({ request }, now) => ({
        data: request === null ? [] : latest(request.actor.uid, limit, now / 1000)
      }))
    )
  )
).pipe(Layer.provide(RequestLog.Default))
