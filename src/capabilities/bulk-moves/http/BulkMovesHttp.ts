import { Effect, Layer } from "effect"
import { asKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { refusedOf } from "../../../http/management/AppointmentActionsHttp.ts"
import { BulkMovesApi } from "../../shared/http/BulkMovesApi.ts"
import { BulkMoves } from "../../shared/services/free/BulkMoves.ts"

export const BulkMovesHttp = groupOf(BulkMovesApi)("management.bulk_moves", (handlers) =>
  Effect.map(BulkMoves, ({ moveAll }) =>
    handlers.handle("move", ({ payload }) =>
      Effect.map(
        asKey((caller) => moveAll(caller, payload)),
        ({ moved, left }) => ({ moved, left: left.map(refusedOf) })
      )
    )
  )
).pipe(Layer.provide(BulkMoves.Default))
