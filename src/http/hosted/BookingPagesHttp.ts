/** `{meetings_url}/booking/{launch_code}`: the address of `launch_url` (Rule 5.5.1). */
import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import type { BookingTimesData } from "../../pages/views/BookingTimes.tsx"
import { OptionalText, UnixSeconds } from "../../schemas/fields.ts"
import { AppointmentUid, DoctorUid } from "../../schemas/ids.ts"
import { invalid } from "../../schemas/problems.ts"
import { AppointmentNotFound } from "../../schemas/scheduling/errors.ts"
import { PageHosts } from "../../services/hosted/PageHosts.ts"
import { BookingPages } from "../../services/scheduling/booking/BookingPages.ts"
import { Bookings } from "../../services/scheduling/booking/Bookings.ts"
import { catalogue, fill } from "../../texts/catalogue.ts"
import { addressIn, type BookingScene, detailsPage, donePage, timesPage } from "./bookingContent.tsx"
import { calendarFile } from "./calendarFile.ts"
import { pageHandler, seeOther } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { readForm, type Visit } from "./serving/visit.ts"

type Notice = NonNullable<BookingTimesData["notice"]>

const reasonOf = (typed: string | undefined) =>
  Effect.mapError(Schema.decodeUnknown(OptionalText)(typed ?? null), () => invalid("visit_reason", "is too long"))

/** `start.doctor`, as the button of a time sends it. */
const chosenSlot = (value: string | undefined) => {
  const [start = "", ...doctor] = (value ?? "").split(".")
  const start_date = Schema.decodeUnknownOption(UnixSeconds)(Number(start || Number.NaN))
  return start_date._tag === "Some" && doctor.length > 0
    ? Effect.succeed({ start_date: start_date.value, doctor_uid: DoctorUid.make(doctor.join(".")) })
    : Effect.fail(invalid("slot", "must be one of the times offered"))
}

const makeHandlers = Effect.gen(function* () {
  const pages = yield* BookingPages
  const bookings = yield* Bookings
  const hosts = yield* PageHosts
  const respond = yield* Respond

  const sceneOf = Effect.fnUntraced(function* (visit: Visit) {
    const progress = yield* pages.progress(visit.code)
    const host = yield* hosts.ofLaunchCode(visit.code)
    const scene: BookingScene = {
      visit,
      host,
      progress,
      self: `${respond.prefix}/booking/${encodeURIComponent(visit.code)}`
    }
    return scene
  })

  const times = (scene: BookingScene, notice: Notice | null, visit_reason: string | null) =>
    Effect.map(pages.offers(scene.progress), (offers) =>
      respond.page(scene.visit, scene.host, timesPage(scene, offers, { notice, visit_reason }))
    )

  /** The page stands where the session stands: nothing but the code is needed to find one's way back. */
  const show = Effect.fnUntraced(function* (visit: Visit) {
    const scene = yield* sceneOf(visit)
    const { latest } = scene.progress
    if (latest?.status === "confirmed") return respond.page(visit, scene.host, donePage(scene, latest))
    if (latest === null) return yield* times(scene, null, null)
    return respond.page(visit, scene.host, detailsPage(scene, latest))
  })

  /** A refusal shows the times that are free now, with its reason; what was typed is kept. */
  const backToTimes = (visit: Visit, typed: string | undefined) => (notice: Notice) => () =>
    Effect.flatMap(sceneOf(visit), (scene) => times(scene, notice, typed ?? null))

  const hold = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const scene = yield* sceneOf(visit)
    if (scene.progress.latest?.status === "confirmed") return seeOther(addressIn(scene, ""))
    const typed = field("visit_reason")
    const back = backToTimes(visit, typed)
    return yield* Effect.gen(function* () {
      const slot = yield* chosenSlot(field("slot"))
      const reason = typed === undefined ? {} : { visit_reason: yield* reasonOf(typed) }
      const { appointment_type_uid } = scene.progress.session
      yield* bookings.hold(visit.code, { ...slot, appointment_type_uid, ...reason }, undefined)
      return seeOther(addressIn(scene, ""))
    }).pipe(
      Effect.catchTags({
        Invalid: back("ruleBlocked"),
        SlotNotOffered: back("ruleBlocked"),
        SlotTaken: back("taken"),
        RebookingBlocked: back("notMovable"),
        AppointmentNotConfirmed: back("notMovable")
      })
    )
  })

  const confirm = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const scene = yield* sceneOf(visit)
    const typed = field("visit_reason")
    const back = backToTimes(visit, typed)
    if (field("step") === "times") return yield* times(scene, null, typed ?? null)
    return yield* Effect.gen(function* () {
      const visit_reason = yield* reasonOf(typed)
      yield* bookings.confirm(visit.code, AppointmentUid.make(field("hold_uid") ?? ""), visit_reason)
      return seeOther(addressIn(scene, ""))
    }).pipe(
      Effect.catchTags({
        Invalid: back("ruleBlocked"),
        SlotTaken: back("taken"),
        HoldNotFound: back("superseded"),
        HoldNotConfirmable: back("superseded"),
        RebookingBlocked: back("notMovable"),
        AppointmentNotConfirmed: back("notMovable")
      })
    )
  })

  const calendar = Effect.fnUntraced(function* (visit: Visit) {
    const { progress } = yield* sceneOf(visit)
    const { latest } = progress
    if (latest?.status !== "confirmed") return yield* new AppointmentNotFound()
    const { uid, start_date, end_date } = latest
    const texts = catalogue[visit.language].booking
    const location = texts.formats[latest.meeting_format]
    const summary = `${location} ${fill(texts.with, { doctor: latest.doctor_display_name })}`
    return HttpServerResponse.text(
      calendarFile({ uid, start_date, end_date, stamp: progress.now, summary, location }),
      {
        contentType: "text/calendar; charset=utf-8; method=PUBLISH",
        headers: {
          "content-disposition": 'attachment; filename="appointment.ics"',
          "cache-control": "no-store",
          "referrer-policy": "no-referrer",
          "x-content-type-options": "nosniff"
        }
      }
    )
  })

  /** What a form led to is asked for once more when a phone brings back a page that it had put away. */
  const back = (visit: Visit) => Effect.map(sceneOf(visit), (scene) => seeOther(addressIn(scene, "")))

  const page = pageHandler(respond, "booking")
  const { prefix, route } = respond
  return {
    prefix,
    route,
    show: page(show),
    hold: page(hold),
    confirm: page(confirm),
    calendar: page(calendar),
    back: page(back)
  }
})

const toPages = (prefix: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => seeOther(`${prefix}${url}`))

export const BookingPagesHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { prefix, route, show, hold, confirm, calendar, back } = yield* makeHandlers
    yield* router.get(route("/booking/:code"), show)
    yield* router.post(route("/booking/:code/hold"), hold)
    yield* router.post(route("/booking/:code/confirm"), confirm)
    yield* router.get(route("/booking/:code/appointment.ics"), calendar)
    for (const step of ["hold", "confirm"] as const) yield* router.get(route(`/booking/:code/${step}`), back)
    // a widget whose data-base-url is the service's own address finds the pages as well
    if (prefix !== "") yield* router.get("/booking/:code", toPages(prefix))
  })
)
