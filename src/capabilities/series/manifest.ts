/** Series: several appointments of one patient and doctor, booked as one act. Rule 4.12. */
import { Effect, Layer, Schema } from "effect"
import { capability } from "../../capability.ts"
import { system } from "../../schemas/access/Actor.ts"
import { DAY, HOUR, WEEK } from "../../schemas/seconds.ts"
import { extension } from "../../services/Extensions.ts"
import { demo } from "../shared/services/demo.ts"
import { SeriesApi } from "./http/SeriesApi.ts"
import { SeriesHttp } from "./http/SeriesHttp.ts"
import { PlanSeries, ToSeries } from "./pages/SeriesPages.tsx"
import { seriesPage } from "./pages/seriesPage.tsx"
import { NewSeries } from "./schemas/Series.ts"
import { seriesNotices } from "./schemas/seriesNotices.ts"
import { Series } from "./services/Series.ts"
import { SeriesNotice, seriesNotice } from "./services/SeriesNotice.ts"
import { noticeTexts } from "./texts/notice.ts"

const seriesOf = Schema.decodeUnknown(NewSeries)

export const manifest = capability({
  name: "series",
  services: Layer.merge(Series.Default, SeriesNotice.Default),
  api: SeriesApi,
  http: SeriesHttp,
  notices: seriesNotices,
  noticeTexts,
  staffPages: { pages: [seriesPage], cards: { appointmentDetails: ToSeries, patientHead: PlanSeries } },
  extension: Effect.zipWith(Series, SeriesNotice, (series, { find }) =>
    extension({
      confirms: ({ series_uid }) => (series_uid === null ? null : { kind: "series", subject_uid: series_uid }),
      datesOf: series.datesOf,
      notices: {
        series: {
          find,
          sample: (facts, recipient) =>
            seriesNotice(
              [0, WEEK, 2 * WEEK].map((later) => ({
                ...facts,
                slot_group: "apt_preview",
                start_date: facts.start_date + later,
                end_date: facts.end_date + later,
                meeting_format: "DIGITAL"
              })),
              facts.url,
              facts.start_date,
              recipient
            )
        }
      },
      demo: (organisation_uid, now) =>
        Effect.flatMap(
          seriesOf({
            shop_uid: demo.practice.shop,
            patient_uid: "pat_garten_4",
            doctor_uid: "doc_petrenko",
            appointment_type_uid: "aty_therapie",
            start_date: Math.ceil(now / DAY + 4) * DAY + 6 * HOUR,
            count: 6,
            interval_weeks: 1,
            on_conflict: "shift",
            over_limit: true
          }),
          (request) => series.book({ organisation_uid, actor: system }, request)
        )
    })
  )
})
