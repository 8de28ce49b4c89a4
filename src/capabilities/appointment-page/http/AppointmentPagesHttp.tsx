/** `{meetings_url}/appointment/{action_code}`: the page of a code, with what its kind permits (`codePowers`, Rule 5.5.2). */

import { Effect, Layer, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { calendarAnswer, calendarWords, mapOf } from "../../../http/hosted/calendarAnswer.ts"
import { askedConsent } from "../../../http/hosted/consentTexts.ts"
import { pageHandler, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, readForm, typedText, type Visit, withNotice } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { statusOf } from "../../../http/problems.ts"
import { calendarLinks } from "../../../pages/calendarLinks.ts"
import { fullDay } from "../../../pages/time.ts"
import { consentValue } from "../../../pages/views/consents.tsx"
import { AppointmentChanged } from "../../../schemas/hosted/errors.ts"
import { ConsentUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { type CodePowerName, codePowers, permits } from "../../../schemas/scheduling/ActionLink.ts"
import { PreparationMissing } from "../../../schemas/scheduling/errors.ts"
import { placeIn } from "../../../schemas/scheduling/place.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { Presentations } from "../../../services/hosted/Presentations.ts"
import { Consents } from "../../../services/patients/Consents.ts"
import { PageConsents } from "../../../services/patients/PageConsents.ts"
import { callerOf } from "../../../services/scheduling/appointments/ActionLinks.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import { type Form, timesOfForm } from "../../shared/http/partsOfDayForm.ts"
import { AppointmentPages, type Shown, type Standing } from "../../shared/services/AppointmentPages.ts"
import { AppointmentPage } from "../pages/AppointmentPage.tsx"
import { appointmentTitle } from "../pages/appointmentState.ts"
import { BookAgain } from "../services/BookAgain.ts"

/** The values of a form's field `action`. */
type PageForm = {
  [K in CodePowerName]: (typeof codePowers)[K]["page"] extends { form: infer F } ? F : never
}[CodePowerName]

const forms: ReadonlySet<string> = new Set(
  Object.values(codePowers).flatMap(({ page }) => ("form" in page ? [page.form] : []))
)
const isPageForm = (value: string): value is PageForm => forms.has(value)

/** What a form led to: shown once, above the appointment. */
const notices = ["refused", "changed", "mailed", "saved", "consents", "waiting", "blocked"] as const

const Minutes = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 120))

const serve = Effect.fnUntraced(function* (router: Router) {
  const appointments = yield* AppointmentPages
  const bookAgain = yield* BookAgain
  const presentations = yield* Presentations
  const consents = yield* PageConsents
  const stored = yield* Consents
  const hosts = yield* PageHosts
  const clock = yield* DomainClock
  const extensions = yield* Extensions
  const respond = yield* Respond
  const { meetingsUrl } = yield* Settings

  const addressOf = (path: string, query: Readonly<Record<string, string>>) =>
    `${respond.prefix}${path}${queryText(query)}`
  const pathOf = ({ code }: Visit) => `/appointment/${encodeURIComponent(code)}`
  const selfOf = (visit: Visit) => addressOf(pathOf(visit), visit.kept)

  const earlierTimes = Effect.map(extensions.having("earlierTimes"), ([first]) => first?.earlierTimes)
  const soonerOf = Effect.fnUntraced(function* (visit: Visit, { appointment, context, fate, link }: Standing) {
    if (!permits(link.kind, "sooner") || fate !== null || appointment.appointment_type_uid === null) return null
    return (
      (yield* (yield* earlierTimes)?.stateOf(appointment, context.rebook_allowed, visit.language) ??
        Effect.succeed(null)) ?? null
    )
  })

  const preparationOf = (visit: Visit, appointment: Standing["appointment"]) =>
    Effect.map(
      extensions.preparation(appointment, visit.language),
      (found) => found && { url: addressOf(`${pathOf(visit)}${found.path}`, visit.kept), text: found.text }
    )

  const toDoOf = (visit: Visit, appointment: Standing["appointment"]) =>
    Effect.map(
      extensions.toDo(
        appointment.organisation_uid,
        { ...appointment, first_uid: appointment.slot_group },
        visit.language
      ),
      (found) =>
        found.map((one) => ({
          ...one,
          tasks: one.tasks.map(({ path, ...task }) => ({
            ...task,
            url: addressOf(`${pathOf(visit)}${path}`, visit.kept)
          }))
        }))
    )

  const givenBy = ({ organisation_uid, patient_uid }: Standing["appointment"]) =>
    Effect.map(stored.list(organisation_uid, patient_uid), (all) => all.filter((one) => one.withdrawn_at === null))

  const render = Effect.fnUntraced(function* (visit: Visit) {
    const shown = yield* appointments.standing(visit.code)
    const { appointment, context, link, ...standing } = shown
    const can = (power: CodePowerName) => permits(link.kind, power)
    const host = yield* hosts.ofCode(visit.code)
    const [doctor] = yield* presentations.doctors(host.organisation_uid, [appointment.doctor_uid])
    const { start_date, end_date, meeting_format } = appointment
    const words = calendarWords(visit.language, host, appointment)
    const unknown = { uid: appointment.doctor_uid, title: null, specialty: null, languages: [], picture: null }
    const type = yield* presentations.type(host.organisation_uid, appointment.appointment_type_uid, visit.language)
    const data = {
      ...context,
      ...standing,
      appointment_type_name: type?.name ?? context.appointment_type_name,
      type,
      action: link.action,
      can: { join: can("join"), cancel: can("cancel"), rebook: can("rebook") },
      again: yield* bookAgain.isOffered(shown),
      uid: appointment.uid,
      notice: notices.find((one) => one === visit.notice) ?? null,
      doctor: doctor ?? { ...unknown, display_name: appointment.doctor_display_name },
      meeting_format,
      place: meeting_format === "IN_PERSON" ? placeIn(appointment.rooms, host.branding.address) : null,
      map: mapOf(appointment, host.branding.address),
      consents: {
        given: (can("withdraw") ? yield* givenBy(appointment) : []).map(({ uid, purpose, given_at }) => ({
          uid,
          purpose,
          given: fullDay(visit.language, host.timezone, given_at)
        })),
        asked: (can("agree") ? yield* consents.asked(appointment) : []).map((one) => askedConsent(visit.language, one))
      },
      further: appointment.further_doctors.map(({ display_name }) => display_name),
      dates: link.kind === "page" ? yield* appointments.dates(appointment, visit.language) : [],
      sooner: yield* soonerOf(visit, shown),
      late: { offered: standing.late_offered, minutes: can("late") ? appointment.late_minutes : null },
      doctor_late: standing.fate === null ? appointment.doctor_late_minutes : null,
      calendars: {
        file: addressOf(`${pathOf(visit)}/appointment.ics`, visit.kept),
        ...calendarLinks({ ...words, start_date, end_date })
      },
      toDo: standing.fate === null ? yield* toDoOf(visit, appointment) : [],
      preparation: can("devices") ? yield* preparationOf(visit, appointment) : null,
      zone: visit.zone ?? host.timezone,
      now: yield* clock.now,
      post: selfOf(visit)
    }
    return respond.page(visit, host, {
      title: appointmentTitle(visit.language, data),
      script: "appointment",
      stage: "appointment",
      body: <AppointmentPage data={data} />
    })
  })

  const join = Effect.fnUntraced(function* ({ code, kept }: Visit, shown: Shown) {
    const { room_name, token } = yield* appointments.join(code, shown)
    return addressOf(`/meeting/${encodeURIComponent(room_name)}`, { ...kept, code, jwt: token })
  })

  const cancel = Effect.fnUntraced(function* (visit: Visit, shown: Shown, typed: string | undefined) {
    yield* appointments.cancel(visit.code, shown, yield* typedText("reason", typed))
    return selfOf(visit)
  })

  const late = Effect.fnUntraced(function* (visit: Visit, shown: Shown, typed: string | undefined) {
    const minutes = yield* Effect.mapError(Schema.decodeUnknown(Minutes)(typed), () =>
      invalid("minutes", "must be 1 to 120")
    )
    yield* appointments.late(visit.code, shown, minutes)
    return withNotice(selfOf(visit), "saved")
  })

  /** Waits for an earlier time. Rule 19.3.5. */
  const sooner = Effect.fnUntraced(function* (visit: Visit, shown: Shown, field: Form) {
    const { appointment, link } = yield* appointments.seen(visit.code, "sooner", shown)
    const asked = (yield* earlierTimes)?.ask(
      appointment,
      callerOf(link).actor,
      timesOfForm(field),
      visit.chosenLanguage
    )
    return withNotice(selfOf(visit), asked !== undefined && (yield* asked) ? "waiting" : "refused")
  })
  const stay = Effect.fnUntraced(function* (visit: Visit, shown: Shown) {
    const { appointment } = yield* appointments.seen(visit.code, "stay", shown)
    yield* (yield* earlierTimes)?.stop(appointment) ?? Effect.void
    return selfOf(visit)
  })

  /** Withdraws a consent. The appointment stays as it is. */
  const withdraw = Effect.fnUntraced(function* (visit: Visit, uid: string) {
    const { appointment } = yield* appointments.standing(visit.code, "withdraw")
    yield* stored.withdraw(appointment.organisation_uid, appointment.patient_uid, ConsentUid.make(uid))
    return withNotice(selfOf(visit), "consents")
  })
  /** Gives a consent that is asked for. The appointment stays as it is. */
  const agree = Effect.fnUntraced(function* (visit: Visit, value: string) {
    const { appointment } = yield* appointments.standing(visit.code, "agree")
    const asked = yield* consents.asked(appointment)
    const agreed = asked.filter((one) => consentValue(one) === value)
    yield* consents.give(appointment, agreed, visit.language)
    return withNotice(selfOf(visit), "consents")
  })

  const toBooking = ({ kept }: Visit) =>
    Effect.map(({ booking_launch_code }: { readonly booking_launch_code: string }) =>
      addressOf(`/booking/${encodeURIComponent(booking_launch_code)}`, kept)
    )

  /**
   * Runs the action of the pressed button, or the link's own action, on the appointment that the form showed. An error leads back to the
   * page with the current state. Rule 5.5.12.
   */
  const act = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const shown = { uid: field("appointment_uid") ?? "", start_date: Number(field("start") ?? Number.NaN) }
    const back = (notice: (typeof notices)[number]) => seeOther(withNotice(selfOf(visit), notice))
    const actions: Readonly<Record<PageForm, () => Effect.Effect<string, unknown, CurrentTenant>>> = {
      join: () => join(visit, shown),
      cancel: () => cancel(visit, shown, field("reason")),
      rebook: () => toBooking(visit)(appointments.rebook(visit.code, shown)),
      late: () => late(visit, shown, field("minutes")),
      sooner: () => sooner(visit, shown, field),
      stay: () => stay(visit, shown),
      withdraw: () => withdraw(visit, field("consent") ?? ""),
      agree: () => agree(visit, field("consent") ?? ""),
      again: () => Effect.as(bookAgain.mail(visit.code, visit.chosenLanguage), withNotice(selfOf(visit), "mailed"))
    }
    const { link, appointment } = yield* appointments.standing(visit.code)
    yield* appointments.choose(appointment, visit.chosenLanguage)
    const chosen = field("action") ?? link.action
    const action = isPageForm(chosen) ? actions[chosen] : undefined
    if (action === undefined) return back("refused")
    return yield* Effect.map(Effect.suspend(action), seeOther).pipe(
      Effect.catchIf(
        (error) => error instanceof AppointmentChanged,
        () => Effect.succeed(back("changed"))
      ),
      Effect.catchIf(
        (error) => error instanceof PreparationMissing,
        () => Effect.succeed(back("blocked"))
      ),
      Effect.catchIf(
        (error) => [400, 403, 409, 410, 429].includes(statusOf(error) ?? 0),
        () => Effect.succeed(back("refused"))
      )
    )
  })

  const calendar = Effect.fnUntraced(function* (visit: Visit) {
    const { appointment } = yield* appointments.standing(visit.code, "calendar")
    const host = yield* hosts.ofCode(visit.code)
    const url = `${meetingsUrl}${pathOf(visit)}`
    return calendarAnswer(visit.language, host, appointment, { url, stamp: yield* clock.now })
  })

  const page = pageHandler(respond, "appointment", hosts.ofCode)
  const { route } = respond
  yield* router.get(route("/appointment/:code"), page(render))
  yield* router.post(route("/appointment/:code"), page(act))
  yield* router.get(route("/appointment/:code/appointment.ics"), page(calendar))
})

export const AppointmentPagesHttp = Routes.use(serve).pipe(
  Layer.provide([
    AppointmentPages.Default,
    BookAgain.Default,
    Consents.Default,
    PageConsents.Default,
    PageHosts.Default,
    Presentations.Default,
    Respond.Default
  ])
)
