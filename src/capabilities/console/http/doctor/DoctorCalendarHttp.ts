import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, flow, Layer } from "effect"
import { Settings } from "../../../../config.ts"
import { Conditional } from "../../../../http/conditional.ts"
import { asDoctor, existing } from "../../../../http/doctor/asDoctor.ts"
import { groupOf } from "../../../../http/group.ts"
import { overrideHandling } from "../../../../http/management/practice/kinds.ts"
import { byDoctor } from "../../../../http/records.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import { calendarOf } from "../../../../services/notifications/calendarFile.ts"
import { DateOverrides } from "../../../../services/scheduling/practice/DateOverrides.ts"
import { catalogue } from "../../../../texts/catalogue.ts"
import { negotiateLanguage } from "../../../../texts/language.ts"
import { CalendarFeeds } from "../../services/doctor/CalendarFeeds.ts"
import { OverridePreviews } from "../../services/previews/OverridePreviews.ts"
import { ConsoleApi } from "../ConsoleApi.ts"

const group = groupOf(ConsoleApi)

export const DoctorCalendarHttp = group("doctor.calendar", (handlers) =>
  Effect.gen(function* () {
    const service = yield* DateOverrides
    const overrides = overrideHandling(service, yield* Conditional, byDoctor, "override_uid")
    const previews = yield* OverridePreviews
    const feeds = yield* CalendarFeeds
    return handlers
      .handle("overrides", flow(overrides.list, existing))
      .handle("create_override", flow(overrides.create(service.create), existing))
      .handle("preview_override", ({ payload }) =>
        asDoctor(({ organisation_uid, doctor_uid }) =>
          existing(previews.preview(organisation_uid, doctor_uid, payload))
        )
      )
      .handle("change_override", overrides.update(service.update))
      .handle("remove_override", overrides.remove(service.remove))
      .handle("feed", () => asDoctor(feeds.find))
      .handle("create_feed", () => asDoctor(feeds.create))
      .handle("revoke_feed", () => asDoctor(feeds.revoke))
  })
).pipe(Layer.provide([DateOverrides.Default, OverridePreviews.Default, CalendarFeeds.Default]))

/** Refresh interval suggested to calendar applications, seconds. */
const REFRESH_INTERVAL = 15 * MINUTE

/** Without patient data: an entry links to a page where the doctor signs in. */
export const CalendarFeedsHttp = group("calendar_feeds", (handlers) =>
  Effect.gen(function* () {
    const feeds = yield* CalendarFeeds
    const { baseUrl } = yield* Settings
    return handlers.handle("read", ({ path }) =>
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const { now, entries } = yield* feeds.read(path.code)
        const language = negotiateLanguage({ acceptLanguage: headers["accept-language"] })
        const { formats } = catalogue[language].booking
        const shown = entries.map(
          ({ uid, slot_group, start_date, end_date, appointment_type_name, meeting_format }) => ({
            first_uid: slot_group,
            start_date,
            end_date,
            stamp: now,
            summary: appointment_type_name ?? formats[meeting_format],
            location: formats[meeting_format],
            url: `${baseUrl}/console/doctor/appointments/${uid}`
          })
        )
        return HttpServerResponse.text(calendarOf("Sprechstunde", language, shown, REFRESH_INTERVAL), {
          contentType: "text/calendar; charset=utf-8",
          headers: {
            "cache-control": "private, no-store",
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "x-robots-tag": "noindex"
          }
        })
      })
    )
  })
).pipe(Layer.provide(CalendarFeeds.Default))
