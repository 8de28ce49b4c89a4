import { Effect } from "effect"
import { inOrganisation } from "../../../http/credentials/credentials.ts"
import { groupOf } from "../../../http/group.ts"
import { isoDateOf } from "../../../services/scheduling/calendar/dates.ts"
import { HolidayPreviews } from "../services/HolidayPreviews.ts"
import { holidaysOf } from "../services/publicHolidays.ts"
import { HolidaysApi } from "./HolidaysApi.ts"

export const HolidaysHttp = groupOf(HolidaysApi)("management.holidays", (handlers) =>
  Effect.map(HolidayPreviews, ({ preview }) =>
    handlers
      .handle("preview", ({ payload }) => inOrganisation((owner) => preview(owner, payload)))
      .handle("list", ({ urlParams: { region, year } }) =>
        Effect.succeed({ data: holidaysOf(region, year).map(({ day, name }) => ({ date: isoDateOf(day), name })) })
      )
  )
)
