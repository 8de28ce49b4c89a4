/** `{meetings_url}/appointment/{action_code}`: the page of a code, with what its kind permits (`codePowers`, Rule 5.5.2). */
import { HttpApiBuilder } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Settings } from "../../config.ts"
import { calendarLinks } from "../../pages/calendarLinks.ts"
import { fullDay } from "../../pages/time.ts"
import { AppointmentPage } from "../../pages/views/AppointmentPage.tsx"
import { appointmentTitle } from "../../pages/views/appointmentState.ts"
import { consentValue } from "../../pages/views/consents.tsx"
import { DeviceTestPage } from "../../pages/views/DeviceTestPage.tsx"
import { OptionalText } from "../../schemas/fields.ts"
import { ConsentUid } from "../../schemas/ids.ts"
import { invalid } from "../../schemas/problems.ts"
import { type CodePowerName, codePowers, permits } from "../../schemas/scheduling/ActionLink.ts"
import { placeIn } from "../../schemas/scheduling/place.ts"
import { DomainClock } from "../../services/DomainClock.ts"
import { BookAgain } from "../../services/hosted/BookAgain.ts"
import { PageHosts } from "../../services/hosted/PageHosts.ts"
import { Presentations } from "../../services/hosted/Presentations.ts"
import { MeetingRooms } from "../../services/meetings/MeetingRooms.ts"
import { PageConsents } from "../../services/patients/PageConsents.ts"
import { AppointmentPages } from "../../services/scheduling/appointments/AppointmentPages.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { statusOf } from "../problems.ts"
import { calendarAnswer, calendarWords } from "./calendarAnswer.ts"
import { askedConsent } from "./consentTexts.ts"
import { pageHandler, seeOther } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { readForm, type Visit } from "./serving/visit.ts"

/** The values of a form's field `action`. */
type PageForm = {
  [K in CodePowerName]: (typeof codePowers)[K]["page"] extends { form: infer F } ? F : never
}[CodePowerName]

const forms: ReadonlySet<string> = new Set(
  Object.values(codePowers).flatMap(({ page }) => ("form" in page ? [page.form] : []))
)
const isPageForm = (value: string): value is PageForm => forms.has(value)

const Minutes = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 120))

const makeHandlers = Effect.gen(function* () {
  const appointments = yield* AppointmentPages
  const bookAgain = yield* BookAgain
  const presentations = yield* Presentations
  const consents = yield* PageConsents
  const hosts = yield* PageHosts
  const clock = yield* DomainClock
  const rooms = yield* MeetingRooms
  const respond = yield* Respond
  const { meetingsUrl } = yield* Settings

  const addressOf = (path: string, query: Readonly<Record<string, string>>) => {
    const text = new URLSearchParams(query).toString()
    return `${respond.prefix}${path}${text === "" ? "" : `?${text}`}`
  }
  const pathOf = ({ code }: Visit) => `/appointment/${encodeURIComponent(code)}`
  const selfOf = (visit: Visit) => addressOf(pathOf(visit), visit.kept)

  const render = Effect.fnUntraced(function* (visit: Visit, refused: boolean) {
    const shown = yield* appointments.standing(visit.code)
    const { appointment, context, link, ...standing } = shown
    const can = (power: CodePowerName) => permits(link.kind, power)
    const host = yield* hosts.ofActionCode(visit.code)
    const [doctor] = yield* presentations.doctors(host.organisation_uid, [appointment.doctor_uid])
    const { start_date, end_date, meeting_format } = appointment
    const words = calendarWords(visit.language, host, appointment)
    const unknown = { uid: appointment.doctor_uid, title: null, specialty: null, languages: [], picture: null }
    const data = {
      ...context,
      ...standing,
      action: link.action,
      can: { join: can("join"), cancel: can("cancel"), rebook: can("rebook") },
      again: yield* bookAgain.isOffered(shown),
      mailed: visit.query.has("mailed"),
      doctor: doctor ?? { ...unknown, display_name: appointment.doctor_display_name },
      type: yield* presentations.type(host.organisation_uid, appointment.appointment_type_uid),
      meeting_format,
      place: meeting_format === "IN_PERSON" ? placeIn(appointment.rooms, host.branding.address) : null,
      consents: {
        given: (can("withdraw") ? yield* consents.given(appointment) : []).map(({ uid, purpose, given_at }) => ({
          uid,
          purpose,
          given: fullDay(visit.language, host.timezone, given_at)
        })),
        asked: (can("agree") ? yield* consents.asked(appointment) : []).map((one) => askedConsent(visit.language, one))
      },
      late: { offered: standing.late_offered, minutes: can("late") ? appointment.late_minutes : null },
      calendars: {
        file: addressOf(`${pathOf(visit)}/appointment.ics`, visit.kept),
        ...calendarLinks({ ...words, start_date, end_date })
      },
      devices: can("devices") ? addressOf(`${pathOf(visit)}/devices`, visit.kept) : null,
      zone: visit.zone ?? host.timezone,
      refused,
      now: yield* clock.now,
      post: selfOf(visit)
    }
    return respond.page(visit, host, {
      title: appointmentTitle(visit.language, data),
      script: "appointment",
      stage: "appointment",
      status: refused ? 409 : 200,
      body: <AppointmentPage language={visit.language} data={data} />
    })
  })

  const join = Effect.fnUntraced(function* ({ code, kept }: Visit) {
    const { room_name, token } = yield* appointments.join(code)
    return addressOf(`/meeting/${encodeURIComponent(room_name)}`, { ...kept, jwt: token })
  })

  const cancel = Effect.fnUntraced(function* (visit: Visit, typed: string | undefined) {
    const reason = yield* Effect.mapError(Schema.decodeUnknown(OptionalText)(typed ?? null), () =>
      invalid("reason", "is too long")
    )
    yield* appointments.cancel(visit.code, reason)
    return selfOf(visit)
  })

  const late = Effect.fnUntraced(function* (visit: Visit, typed: string | undefined) {
    const minutes = yield* Effect.mapError(Schema.decodeUnknown(Minutes)(typed), () =>
      invalid("minutes", "must be 1 to 120")
    )
    yield* appointments.late(visit.code, minutes)
    return selfOf(visit)
  })

  /** Withdraws a consent. The appointment stays as it is. */
  const withdraw = Effect.fnUntraced(function* (visit: Visit, uid: string) {
    const { appointment } = yield* appointments.standing(visit.code, "withdraw")
    yield* consents.withdraw(appointment, ConsentUid.make(uid))
    return selfOf(visit)
  })
  /** Gives a consent that is asked for. The appointment stays as it is. */
  const agree = Effect.fnUntraced(function* (visit: Visit, value: string) {
    const { appointment } = yield* appointments.standing(visit.code, "agree")
    const asked = yield* consents.asked(appointment)
    const agreed = asked.filter((one) => consentValue(one) === value)
    yield* consents.give(appointment, agreed, visit.language)
    return selfOf(visit)
  })

  const toBooking = ({ kept }: Visit) =>
    Effect.map(({ booking_launch_code }: { readonly booking_launch_code: string }) =>
      addressOf(`/booking/${encodeURIComponent(booking_launch_code)}`, kept)
    )

  /** Runs the action of the pressed button, or the link's own action; an error shows the page with the current state. */
  const act = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const actions: Readonly<Record<PageForm, () => Effect.Effect<string, unknown>>> = {
      join: () => join(visit),
      cancel: () => cancel(visit, field("reason")),
      rebook: () => toBooking(visit)(appointments.rebook(visit.code)),
      late: () => late(visit, field("minutes")),
      withdraw: () => withdraw(visit, field("consent") ?? ""),
      agree: () => agree(visit, field("consent") ?? ""),
      again: () => Effect.as(bookAgain.mail(visit.code), addressOf(pathOf(visit), { ...visit.kept, mailed: "" }))
    }
    const { link } = yield* appointments.standing(visit.code)
    const chosen = field("action") ?? link.action
    const action = isPageForm(chosen) ? actions[chosen] : undefined
    if (action === undefined) return yield* render(visit, true)
    return yield* Effect.map(Effect.suspend(action), seeOther).pipe(
      Effect.catchIf(
        (error) => statusOf(error) !== 404,
        () => render(visit, true)
      )
    )
  })

  const calendar = Effect.fnUntraced(function* (visit: Visit) {
    const { appointment } = yield* appointments.standing(visit.code, "calendar")
    const host = yield* hosts.ofActionCode(visit.code)
    const url = `${meetingsUrl}${pathOf(visit)}`
    return calendarAnswer(visit.language, host, appointment, { url, stamp: yield* clock.now })
  })

  const devices = Effect.fnUntraced(function* (visit: Visit) {
    yield* appointments.standing(visit.code, "devices")
    const host = yield* hosts.ofActionCode(visit.code)
    const data = { iceServers: yield* rooms.testServers, back: selfOf(visit) }
    return respond.page(visit, host, {
      title: catalogue[visit.language].meeting.testTitle,
      script: "meeting",
      stage: "devices",
      call: true,
      body: <DeviceTestPage language={visit.language} data={data} />
    })
  })

  const page = pageHandler(respond, "appointment", hosts.ofActionCode)
  return {
    route: respond.route,
    show: page((visit) => render(visit, false)),
    act: page(act),
    calendar: page(calendar),
    devices: page(devices)
  }
})

export const AppointmentPagesHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const { route, show, act, calendar, devices } = yield* makeHandlers
    yield* router.get(route("/appointment/:code"), show)
    yield* router.post(route("/appointment/:code"), act)
    yield* router.get(route("/appointment/:code/appointment.ics"), calendar)
    yield* router.get(route("/appointment/:code/devices"), devices)
  })
)
