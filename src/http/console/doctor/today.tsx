import { Effect } from "effect"
import { TodayPage } from "../../../pages/console/doctor/TodayPage.tsx"
import { addDays, dayIn, zonedInstant } from "../../../pages/console/zoned.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { Visitor } from "../serving/Console.tsx"

const ZONE = "Europe/Berlin"

/** Today of the practice's clock. */
export const todayPage = Effect.fn("console.today")(function* ({ api, now, texts }: Visitor) {
  const day = dayIn(now, ZONE)
  const from = UnixSeconds.make(zonedInstant(`${day}T00:00`, ZONE) ?? now)
  const to = UnixSeconds.make((zonedInstant(`${addDays(day, 1)}T00:00`, ZONE) ?? now) - 1)
  const { data } = yield* api.doctor.appointments({
    urlParams: { status: "all", from, to, page: 0, limit: 200 }
  })
  return { title: texts.doctor.pages.today, zone: ZONE, body: <TodayPage now={now} appointments={data} /> }
})
