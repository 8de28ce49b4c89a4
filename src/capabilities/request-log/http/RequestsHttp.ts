import { Clock, Effect } from "effect"
import { groupOf } from "../../../http/group.ts"
import { currentTenancy } from "../../../services/tenancy/Tenancy.ts"
import { RequestLog } from "../services/RequestLog.ts"
import { RequestsApi } from "./RequestsApi.ts"

export const RequestsHttp = groupOf(RequestsApi)("requests", (handlers) =>
  Effect.map(RequestLog, ({ latest }) =>
    handlers.handle("list", ({ urlParams: { limit } }) =>
      Effect.zipWith(currentTenancy, Clock.currentTimeMillis, ({ request }, now) => ({
        data: request === null ? [] : latest(request.actor.uid, limit, now / 1000)
      }))
    )
  )
)
