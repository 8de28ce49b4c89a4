import { Effect } from "effect"
import { asKey } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { refusedOf } from "../../../http/management/AppointmentActionsHttp.ts"
import { Series } from "../services/Series.ts"
import { SeriesApi } from "./SeriesApi.ts"

export const SeriesHttp = groupOf(SeriesApi)("management.series", (handlers) =>
  Effect.map(Series, (series) =>
    handlers
      .handle("book", ({ payload }) => asKey((caller) => series.book(caller, payload)))
      .handle("cancel", ({ path, payload }) =>
        asKey((caller) => series.cancel(caller, path.series_uid, payload)).pipe(
          Effect.map(({ skipped, ...done }) => ({ ...done, skipped: skipped.map(refusedOf) }))
        )
      )
  )
)
