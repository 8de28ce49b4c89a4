import { Effect, Layer } from "effect"
import { Series } from "../../services/scheduling/booking/Series.ts"
import { asKey } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { refusedOf } from "./AppointmentActionsHttp.ts"

export const SeriesHttp = group("management.series", (handlers) =>
  Effect.map(Series, (series) =>
    handlers
      .handle("book", ({ payload, headers }) =>
        asKey((caller) => series.book(caller, payload, headers["idempotency-key"]))
      )
      .handle("cancel", ({ path, payload }) =>
        asKey((caller) => series.cancel(caller, path.series_uid, payload)).pipe(
          Effect.map(({ skipped, ...done }) => ({ ...done, skipped: skipped.map(refusedOf) }))
        )
      )
  )
).pipe(Layer.provide(Series.Default))
