/** `{meetings_url}/booking/{launch_code}`: the address of `launch_url` (Rule 5.5.1). */

import { Effect, Option, Schema } from "effect"
import { Settings } from "../../config.ts"
import type { BookingTimesData } from "../../pages/views/BookingTimes.tsx"
import { consentValue } from "../../pages/views/consents.tsx"
import { UnixSeconds } from "../../schemas/fields.ts"
import { AppointmentUid, DoctorUid } from "../../schemas/ids.ts"
import type { ConsentText } from "../../schemas/patients/Consent.ts"
import { invalid } from "../../schemas/problems.ts"
import { pageOfMode } from "../../schemas/scheduling/Booking.ts"
import { AppointmentNotFound, BookingSessionNotFound } from "../../schemas/scheduling/errors.ts"
import { DAY } from "../../schemas/seconds.ts"
import { Extensions } from "../../services/Extensions.ts"
import { KeptForms } from "../../services/hosted/KeptForms.ts"
import { askedOf, MissingProfile, usableProfile } from "../../services/hosted/MissingProfile.ts"
import { type PageHost, PageHosts } from "../../services/hosted/PageHosts.ts"
import { Presentations } from "../../services/hosted/Presentations.ts"
import { Consents } from "../../services/patients/Consents.ts"
import type { StoredAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingPages, type BookingProgress } from "../../services/scheduling/booking/BookingPages.ts"
import { BookingSessions, powersOf } from "../../services/scheduling/booking/BookingSessions.ts"
import { Bookings } from "../../services/scheduling/booking/Bookings.ts"
import { inClass } from "../admission/costClasses.ts"
import { type Router, Routes } from "../inRequest.ts"
import {
  addressIn,
  type BookingScene,
  detailsPage,
  donePage,
  expiredPage,
  gonePage,
  timesPage
} from "./bookingContent.tsx"
import { calendarAnswer } from "./calendarAnswer.ts"
import { askedConsent } from "./consentTexts.ts"
import { pageHandler, redirectToPages, seeOther } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { queryText, readForm, typedText, type Visit } from "./serving/visit.ts"

type Notice = NonNullable<BookingTimesData["notice"]>

const notices: ReadonlyArray<Notice> = ["taken", "superseded", "ruleBlocked", "notMovable", "tooMany"]
const noticeOf = ({ notice }: Visit) => notices.find((one) => one === notice) ?? null

/** Parses `start.doctor`, the value of a time's button. */
const chosenSlot = (value: string | undefined) => {
  const [start = "", ...doctor] = (value ?? "").split(".")
  const start_date = Schema.decodeUnknownOption(UnixSeconds)(Number(start || Number.NaN))
  return start_date._tag === "Some" && doctor.length > 0
    ? Effect.succeed({ start_date: start_date.value, doctor_uid: DoctorUid.make(doctor.join(".")) })
    : Effect.fail(invalid("slot", "must be one of the times offered"))
}

const serve = Effect.fnUntraced(function* (router: Router) {
  const pages = yield* BookingPages
  const bookings = yield* Bookings
  const sessions = yield* BookingSessions
  const hosts = yield* PageHosts
  const presentations = yield* Presentations
  const consents = yield* Consents
  const extensions = yield* Extensions
  const profiles = yield* MissingProfile
  const forms = yield* KeptForms
  const respond = yield* Respond
  const { meetingsUrl } = yield* Settings

  const sceneOf = Effect.fnUntraced(function* (visit: Visit) {
    const progress = yield* pages.progress(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    const scene: BookingScene = {
      visit,
      host,
      progress,
      type: yield* presentations.type(host.organisation_uid, progress.session.appointment_type_uid, visit.language),
      self: `${respond.prefix}/booking/${encodeURIComponent(visit.code)}`
    }
    return scene
  })

  const doctorOf = (host: PageHost, uid: string) =>
    Effect.map(presentations.doctors(host.organisation_uid, [uid]), ([doctor]) => doctor ?? null)

  /** The consents that the page asks for. None where a code that moves an appointment led to it. Rule 5.4.15. */
  const askedIn = ({ session }: BookingProgress, latest: StoredAppointment) =>
    powersOf(session).own ? consents.asked(latest) : Effect.succeed([])

  const remember = ({ visit, progress }: BookingScene) =>
    pages.choose(progress, { language: visit.askedLanguage ?? null, timezone: visit.zone ?? null })

  const times = (scene: BookingScene, notice: Notice | null) =>
    pages.offers(scene.progress).pipe(
      inClass("search"),
      Effect.flatMap((offers) =>
        Effect.gen(function* () {
          const { host, progress } = scene
          const doctors = [...new Set(offers.map(({ doctor_uid }) => doctor_uid))]
          const cards = yield* presentations.doctors(host.organisation_uid, doctors)
          const { start_from, start_to, organisation_uid, appointment_type_uid } = progress.session
          const today = Math.floor(Math.max(start_from, progress.now) / DAY)
          const holidays = yield* pages.holidays(progress.session, today, Math.floor(start_to / DAY))
          const elsewhere = powersOf(progress.session).own
            ? yield* extensions.noTimeSuits(organisation_uid, [appointment_type_uid], scene.visit.language)
            : null
          const noneSuits =
            elsewhere === null ? null : { address: addressIn(scene, elsewhere.path), texts: elsewhere.texts }
          return timesPage(scene, offers, { notice, cards, noneSuits, holidays })
        })
      ),
      Effect.catchTag("BookableTypeNotFound", () => Effect.succeed(gonePage(scene, "typeGone"))),
      Effect.map((content) => respond.page(scene.visit, scene.host, content))
    )

  /** `unagreed`: the form was sent without a required consent. */
  const details = Effect.fnUntraced(function* (
    scene: BookingScene,
    latest: StoredAppointment,
    asked: ReadonlyArray<ConsentText>,
    unagreed: boolean
  ) {
    const { visit, host, progress } = scene
    const shown = asked.map((one) => askedConsent(visit.language, one))
    const entered = yield* forms.read(visit.code, visit.query.get("form") ?? "")
    const missing = askedOf(progress.session).map((name) => {
      const value = entered[name] ?? ""
      return { name, value, faulty: value !== "" && usableProfile(name, value, progress.now)._tag === "None" }
    })
    const asking = { consents: shown, missing, unagreed, agreed: (visit.kept.agreed ?? "").split(",") }
    const overlapping = yield* pages.overlapping(progress)
    const doctor = yield* doctorOf(host, latest.doctor_uid)
    return respond.page(visit, host, detailsPage(scene, latest, overlapping, doctor, asking))
  })

  /** To the page of a session in which no time is booked. */
  const elsewhere = Effect.fnUntraced(function* (visit: Visit) {
    const { mode } = yield* sessions.anyByLaunchCode(visit.code)
    const path = pageOfMode(mode)
    // its capability is off by now
    if (path === undefined) return yield* new BookingSessionNotFound()
    return seeOther(`${respond.prefix}/booking/${encodeURIComponent(visit.code)}${path}${queryText(visit.kept)}`)
  })

  /** Shows the session's current step, or the list of times for `?step=times`. */
  const show = Effect.fnUntraced(function* (visit: Visit) {
    const scene = yield* sceneOf(visit)
    const { host, progress } = scene
    const { latest } = progress
    if (progress.expired) {
      const begins = yield* extensions.beginsAgain(progress.session)
      const again = begins === null ? null : `${respond.prefix}${begins}${queryText(visit.kept)}`
      return respond.page(visit, host, expiredPage(scene, again))
    }
    if (latest?.status === "confirmed") {
      const mail = Option.getOrNull(yield* pages.mailAddress(progress))
      const preparation = yield* extensions.preparation(latest, visit.language)
      const doctor = yield* doctorOf(host, latest.doctor_uid)
      return respond.page(visit, host, donePage(scene, latest, mail, doctor, preparation))
    }
    if (progress.original !== null && progress.original.status !== "confirmed")
      return respond.page(visit, host, gonePage(scene, "notMovable"))
    const notice = noticeOf(visit)
    if (latest === null || visit.query.get("step") === "times" || notice !== null) {
      const first = yield* extensions.beforeTimes(progress.session)
      return first === null ? yield* times(scene, notice) : seeOther(addressIn(scene, first))
    }
    return yield* details(scene, latest, yield* askedIn(progress, latest), visit.notice === "unagreed")
  })

  /** Keeps the text that was typed: it may be health data, so it is stored with the hold and never in an address. */
  const keepTyped = ({ progress }: BookingScene, typed: string | undefined) =>
    Effect.flatMap(Effect.option(typedText("visit_reason", typed)), (reason) =>
      typed === undefined || reason._tag === "None" ? Effect.void : pages.keepReason(progress, reason.value)
    )

  /** After an error: leads to the free times, which then say the reason. Rule 5.5.11. */
  const backToTimes = (scene: BookingScene, typed: string | undefined) => (notice: Notice) => () =>
    Effect.as(keepTyped(scene, typed), seeOther(addressIn(scene, "", { step: "times", notice })))

  const hold = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const scene = yield* sceneOf(visit)
    if (scene.progress.expired || scene.progress.latest?.status === "confirmed") return seeOther(addressIn(scene, ""))
    const typed = field("visit_reason") ?? scene.progress.latest?.visit_reason ?? undefined
    const back = backToTimes(scene, typed)
    return yield* Effect.gen(function* () {
      const slot = yield* chosenSlot(field("slot"))
      const reason = typed === undefined ? {} : { visit_reason: yield* typedText("visit_reason", typed) }
      const { appointment_type_uid } = scene.progress.session
      yield* remember(scene)
      yield* bookings.hold(visit.code, { ...slot, appointment_type_uid, ...reason })
      return seeOther(addressIn(scene, ""))
    }).pipe(
      Effect.catchTags({
        Invalid: back("ruleBlocked"),
        SlotNotOffered: back("ruleBlocked"),
        SlotTaken: back("taken"),
        // The page of times shows that the type is gone
        BookableTypeNotFound: back("ruleBlocked"),
        PatientRestricted: back("ruleBlocked"),
        TooManyHolds: back("tooMany"),
        TooManyAppointments: back("tooMany"),
        RebookingBlocked: back("notMovable"),
        HoldNotConfirmable: back("notMovable")
      })
    )
  })

  const confirm = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const scene = yield* sceneOf(visit)
    const { latest, expired, now } = scene.progress
    if (expired && (latest === null || latest.end_date <= now)) return seeOther(addressIn(scene, ""))
    const typed = field("visit_reason")
    const asked = latest === null || latest.status === "confirmed" ? [] : yield* askedIn(scene.progress, latest)
    const ticked = field.all("consent")
    const agreed = asked.filter((one) => ticked.includes(consentValue(one)))
    const { agreed: _, ...kept } = visit.kept
    const keeping = agreed.length === 0 ? kept : { ...kept, agreed: agreed.map(consentValue).join(",") }
    const next = { ...scene, visit: { ...visit, kept: keeping } }
    const back = backToTimes(next, typed)
    const asks = latest === null || latest.status === "confirmed" ? [] : askedOf(scene.progress.session)
    const entered = Object.fromEntries(asks.map((name) => [name, (field(`profile_${name}`) ?? "").slice(0, 400)]))
    const isFaulty = yield* profiles.complete(scene.progress.session, entered)
    if (field("step") === "times")
      return yield* Effect.as(keepTyped(scene, typed), seeOther(addressIn(next, "", { step: "times" })))
    if (isFaulty)
      return yield* keepTyped(scene, typed).pipe(
        Effect.zipRight(forms.keep(visit.code, entered)),
        Effect.map((form) => seeOther(addressIn(next, "", { notice: "profile", form })))
      )
    if (latest !== null && asked.some((one) => one.required && !agreed.includes(one)))
      return yield* Effect.as(keepTyped(scene, typed), seeOther(addressIn(next, "", { notice: "unagreed" })))
    return yield* Effect.gen(function* () {
      const visit_reason = yield* typedText("visit_reason", typed)
      if (latest !== null) yield* consents.agree(latest, agreed, visit.language)
      yield* remember(scene)
      yield* bookings.confirm(visit.code, AppointmentUid.make(field("hold_uid") ?? ""), visit_reason)
      if (visit.askedLanguage !== undefined) yield* profiles.speak(scene.progress.session, visit.askedLanguage)
      return seeOther(addressIn(scene, ""))
    }).pipe(
      Effect.catchTags({
        Invalid: back("ruleBlocked"),
        SlotTaken: back("taken"),
        TooManyAppointments: back("tooMany"),
        HoldNotFound: back("superseded"),
        PatientNotFound: back("superseded"),
        HoldNotConfirmable: ({ subject }) => back(subject === undefined ? "superseded" : "notMovable")(),
        RebookingBlocked: back("notMovable")
      })
    )
  })

  /** Redirects to the page that moves or cancels an appointment, which happens only when a button there is pressed. */
  const manage = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const scene = yield* sceneOf(visit)
    const { progress } = scene
    if (progress.expired) return seeOther(addressIn(scene, ""))
    const action = field("action") === "rebook" ? "rebook" : "cancel"
    const link = yield* pages.manage(progress, AppointmentUid.make(field("appointment_uid") ?? ""), action)
    return seeOther(`${respond.prefix}/appointment/${link.code}${queryText(visit.kept)}`)
  })

  const calendar = Effect.fnUntraced(function* (visit: Visit) {
    const { progress } = yield* sceneOf(visit)
    const { latest } = progress
    if (latest?.status !== "confirmed") return yield* new AppointmentNotFound()
    const host = yield* hosts.ofCode(visit.code)
    const url = `${meetingsUrl}/booking/${encodeURIComponent(visit.code)}`
    return calendarAnswer(visit.language, host, latest, { url, stamp: progress.now })
  })

  /** Redirects a GET of a form's address, which a phone sends when it restores the page after a form. */
  const back = (visit: Visit) => Effect.map(sceneOf(visit), (scene) => seeOther(addressIn(scene, "")))

  const page = pageHandler(respond, "booking", hosts.ofCode)
  const { prefix, route } = respond
  yield* router.get(
    route("/booking/:code"),
    page((visit) => Effect.catchTag(show(visit), "BookingSessionNotFound", () => elsewhere(visit)))
  )
  yield* router.post(route("/booking/:code/hold"), page(hold))
  yield* router.post(route("/booking/:code/confirm"), page(confirm))
  yield* router.post(route("/booking/:code/manage"), page(manage))
  yield* router.get(route("/booking/:code/appointment.ics"), page(calendar))
  for (const step of ["hold", "confirm", "manage"] as const)
    yield* router.get(route(`/booking/:code/${step}`), page(back))
  // For widgets whose data-base-url is the service's own address
  if (prefix !== "") yield* router.get("/booking/:code", redirectToPages(prefix))
})

export const BookingPagesHttp = Routes.use(serve)
