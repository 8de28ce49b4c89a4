/** `{meetings_url}/book/{shop_identifier}`: booking without a partner (section 5.8). */

import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Either, Layer, ParseResult, Schema } from "effect"
import { Settings } from "../../../config.ts"
import {
  type Address,
  clientAddress,
  networkOf,
  providerOf,
  wideNetworkOf
} from "../../../http/admission/clientAddress.ts"
import { inClass } from "../../../http/admission/costClasses.ts"
import { timesContent } from "../../../http/hosted/bookingContent.tsx"
import { type Handled, pageHandler, redirectToPages, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { type PageContent, Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, readForm, type Visit, withNotice } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { fullName } from "../../../pages/views/cards.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { isPlausibleBirth } from "../../../schemas/birthDate.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { DoctorUid } from "../../../schemas/ids.ts"
import type { PublicAppointmentType } from "../../../schemas/scheduling/AppointmentType.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Extensions } from "../../../services/Extensions.ts"
import { KeptForms } from "../../../services/hosted/KeptForms.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { Presentations } from "../../../services/hosted/Presentations.ts"
import { BookingPages } from "../../../services/scheduling/booking/BookingPages.ts"
import { Bookings } from "../../../services/scheduling/booking/Bookings.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { inLanguage } from "../../../texts/inLanguage.ts"
import {
  PublicBookingCodePage,
  type PublicBookingNotice,
  PublicBookingPage,
  PublicTypesPage
} from "../pages/PublicBookingPage.tsx"
import { PublicBooking, PublicVisit } from "../schemas/PublicBooking.ts"
import { type Networks, PublicBookings } from "../services/PublicBookings.ts"
import { pageTextsOf } from "../texts/page.ts"

const decodeBooking = Schema.decodeUnknownEither(PublicBooking, { errors: "all" })
const decodeVisit = Schema.decodeUnknownEither(PublicVisit, { errors: "all" })
const FIELDS = [
  "appointment_type_uid",
  "meeting_format",
  "first_name",
  "last_name",
  "date_of_birth",
  "email",
  "phone",
  "relative_first_name",
  "relative_last_name",
  "relative_date_of_birth",
  "slot"
] as const

/** A time as its button names it, `start.doctor`; null for anything else. */
const slotIn = (text: string): PublicBooking["slot"] => {
  const [, start, doctor_uid] = /^(\d{1,12})\.(.{1,255})$/.exec(text) ?? []
  return start === undefined || doctor_uid === undefined
    ? null
    : { start_date: UnixSeconds.make(Number(start)), doctor_uid: DoctorUid.make(doctor_uid) }
}

/** Days for which holidays are named. */
const DAYS_OFFERED = 31

const notices: ReadonlyArray<PublicBookingNotice> = [
  "invalid",
  "birthDate",
  "tooMany",
  "typeGone",
  "noMail",
  "wrongCode",
  "codeGone",
  "codeSent"
]
const noticeOf = ({ notice }: Visit) => notices.find((one) => one === notice) ?? null

type Typed = (name: string) => string

/** `mode`: of a purpose without a time. */
const parsed = (typed: Typed, mode?: string): Either.Either<PublicBooking | PublicVisit, ParseResult.ParseError> => {
  const relative = ["first_name", "last_name", "date_of_birth"] as const
  const named = relative.map((name) => [name, typed(`relative_${name}`)] as const)
  const sent = {
    ...Object.fromEntries(
      ["appointment_type_uid", "meeting_format", "first_name", "last_name", "email", "phone"].map((name) => [
        name,
        typed(name)
      ])
    ),
    date_of_birth: typed("date_of_birth") || null,
    slot: slotIn(typed("slot")),
    relative: named.every(([, value]) => value === "") ? null : Object.fromEntries(named)
  }
  return mode === undefined ? decodeBooking(sent) : decodeVisit({ ...sent, mode })
}

type Types = ReadonlyArray<Pick<PublicAppointmentType, "uid" | "formats">>

/** The type and format that were chosen; a type without a choice of formats has its own. Null until both are. */
const chosenIn = <T extends Types[number]>(types: ReadonlyArray<T>, uid: string, format: string) => {
  const type = types.find((one) => one.uid === uid) ?? (types.length === 1 ? types[0] : undefined)
  const [only] = type?.formats ?? []
  const chosen = type?.formats.find((one) => one === format) ?? (type?.formats.length === 1 ? only : undefined)
  return type === undefined || chosen === undefined ? null : { type, format: chosen }
}

/**
 * The names of the fields whose values cannot be used, at a time: nobody is born in the future, or over 130 years ago. A type is offered in
 * its own formats alone.
 */
const faultyFields = (typed: Typed, types: Types, now: number, mode?: string): ReadonlySet<string> => {
  const result = parsed(typed, mode)
  const faulty = new Set(
    Either.isRight(result)
      ? []
      : ParseResult.ArrayFormatter.formatErrorSync(result.left).map(({ path }) => path.map(String).join("_"))
  )
  for (const name of ["date_of_birth", "relative_date_of_birth"])
    if (typed(name) !== "" && !isPlausibleBirth(typed(name), now)) faulty.add(name)
  const chosen = types.find(({ uid }) => uid === typed("appointment_type_uid"))
  if (chosen?.formats.some((format) => format === typed("meeting_format")) === false) faulty.add("meeting_format")
  const other = Either.isRight(result) ? result.right.relative !== null : typed("relative_first_name") !== ""
  if (!other && typed("date_of_birth") === "") faulty.add("date_of_birth")
  return faulty
}

/** The networks by which codes are counted. Rule 5.8.4. */
const networksOf = (address: Address): Networks => ({
  network: networkOf(address),
  site: wideNetworkOf(address),
  provider: providerOf(address)
})

/** A visit of a page of public booking. */
interface PublicVisitor extends Visit {
  /** The purpose's part of the path, below the shop's; empty: a time is booked. */
  readonly below: "" | `/${string}`
}

/** No shop's address, or one of a practice without these pages. */
const closedPage = ({ language }: Visit): PageContent => {
  const { title, closed } = pageTextsOf(language)
  return {
    title,
    status: 404,
    stage: "error",
    body: (
      <NoticePage title={title} text={closed}>
        <ContactPractice />
      </NoticePage>
    )
  }
}

const serve = Effect.fnUntraced(function* (router: Router) {
  const bookings = yield* PublicBookings
  const pages = yield* BookingPages
  const presentations = yield* Presentations
  const holds = yield* Bookings
  const forms = yield* KeptForms
  const extensions = yield* Extensions
  const clock = yield* DomainClock
  const hosts = yield* PageHosts
  const respond = yield* Respond
  const { trustedProxies } = yield* Settings

  const addressOf = ({ code, kept, below }: PublicVisitor, path = "", more: Readonly<Record<string, string>> = {}) =>
    `${respond.prefix}/book/${encodeURIComponent(code)}${below}${path}${queryText({ ...kept, ...more })}`

  const titleFor = ({ language }: Visit, title: string, notice: PublicBookingNotice | null) =>
    notice === null || notice === "codeSent" ? title : `${catalogue[language].page.attention}: ${title}`

  /** Who comes for a purpose without a time. */
  const purposeForm = Effect.fnUntraced(function* (visit: PublicVisitor) {
    const { mode, title } = yield* bookings.purpose(visit.code, visit.below, visit.language)
    const host = yield* hosts.ofShop(visit.code)
    const notice = noticeOf(visit)
    const entered = yield* forms.read(visit.code, visit.query.get("form") ?? "")
    const typed = (name: string) => entered[name] ?? ""
    const hasFaults = notice === "invalid" || notice === "birthDate"
    const faulty = hasFaults ? faultyFields(typed, [], yield* clock.now, mode) : new Set<string>()
    const data = { post: addressOf(visit), typed, problem: notice, faulty, title, hidden: {} }
    return respond.page(visit, host, {
      title: titleFor(visit, title, notice),
      script: "appointment",
      stage: "public",
      body: <PublicBookingPage data={{ ...data, appointment: null }} />
    })
  })

  /** What is to be booked, then the free times, then who it is for. */
  const form = Effect.fnUntraced(function* (visit: PublicVisitor) {
    const { types, shop } = yield* bookings.offered(visit.code)
    const host = yield* hosts.ofShop(visit.code)
    const notice = noticeOf(visit)
    const entered = yield* forms.read(visit.code, visit.query.get("form") ?? "")
    const asked: Readonly<Record<string, string | null>> = {
      appointment_type_uid: visit.query.get("type"),
      meeting_format: visit.query.get("format"),
      slot: visit.query.get("slot")
    }
    const typed = (name: string) => entered[name] ?? asked[name] ?? ""
    const chosen = chosenIn(types, typed("appointment_type_uid"), typed("meeting_format"))
    const hasFaults = notice === "invalid" || notice === "birthDate"
    const faulty = hasFaults ? faultyFields(typed, types, yield* clock.now) : new Set<string>()
    const data = { post: addressOf(visit), typed, problem: notice, faulty }
    const { title } = pageTextsOf(visit.language)
    const shared = { title: titleFor(visit, title, notice), script: "appointment", stage: "public" } as const
    if (chosen === null || faulty.has("appointment_type_uid") || faulty.has("meeting_format")) {
      const shown = types.map((type) => inLanguage(type, visit.language))
      const others = (yield* bookings.purposes(shop.organisation_uid, visit.language)).map(
        ({ path, link }) => [addressOf({ ...visit, below: path }), link] as const
      )
      const page = <PublicTypesPage data={{ ...data, kept: visit.kept, types: shown, others }} />
      return respond.page(visit, host, { ...shared, body: page })
    }
    const { format } = chosen
    const type = inLanguage(chosen.type, visit.language)
    const kept = { ...visit.kept, type: type.uid, format }
    const slot = slotIn(typed("slot"))
    const zone = visit.zone ?? host.timezone
    const { name: type_name, duration_minutes } = type
    const subject = {
      type_name,
      duration_minutes,
      mode: "booking",
      meeting_format: format,
      zone,
      patient: null
    } as const
    if (slot === null && notice === null && visit.query.get("step") !== "who") {
      const of = { organisation_uid: shop.organisation_uid, shop_uid: shop.shop_uid, appointment_type_uid: type.uid }
      const offers = yield* pages.openTimes(of).pipe(
        inClass("search"),
        Effect.catchTag("BookableTypeNotFound", () => Effect.succeed([]))
      )
      const now = yield* clock.now
      const today = Math.floor(now / DAY)
      const holidays = yield* pages.holidays(of, today, today + DAYS_OFFERED)
      const doctors = [...new Set(offers.map(({ doctor_uid }) => doctor_uid))]
      const cards = yield* presentations.doctors(shop.organisation_uid, doctors)
      const elsewhere = yield* extensions.noTimeSuits(shop.organisation_uid, [type.uid], visit.language)
      const self = addressOf({ ...visit, kept: {} })
      const action = `${self}/time${queryText(kept)}`
      const noneSuits =
        elsewhere === null ? null : { address: `${self}${queryText({ ...kept, step: "who" })}`, texts: elsewhere.texts }
      const scene = { visit, self, kept, action, subject, type, now, latest: null, held: null, original: null }
      return respond.page(visit, host, timesContent(scene, offers, { notice: null, cards, noneSuits, holidays }))
    }
    const [doctor] = slot === null ? [] : yield* presentations.doctors(shop.organisation_uid, [slot.doctor_uid])
    const time =
      slot === null || doctor === undefined
        ? null
        : { start_date: slot.start_date, end_date: slot.start_date + duration_minutes * 60, doctor: fullName(doctor) }
    const back = `${addressOf({ ...visit, kept: {} })}${queryText(kept)}`
    const hidden = { appointment_type_uid: type.uid, meeting_format: format, slot: time === null ? "" : typed("slot") }
    return respond.page(visit, host, {
      ...shared,
      body: <PublicBookingPage data={{ ...data, title, appointment: { subject, time, back }, hidden }} />
    })
  })

  /** A time was pressed: leads to the form, before anything is held. */
  const time = Effect.fnUntraced(function* (visit: PublicVisitor) {
    const field = yield* readForm
    const [type, format] = ["type", "format"].map((name) => visit.query.get(name) ?? "")
    return seeOther(addressOf(visit, "", { type: type ?? "", format: format ?? "", slot: field("slot") ?? "" }))
  })

  /** To the session that the code has opened: with the time that was chosen, if it can be held. */
  const toSession = Effect.fnUntraced(function* (
    visit: PublicVisitor,
    { booking_launch_code: code, chosen }: Effect.Effect.Success<ReturnType<typeof bookings.confirm>>
  ) {
    const address = (more: Readonly<Record<string, string>> = {}) =>
      seeOther(`${respond.prefix}/booking/${encodeURIComponent(code)}${queryText({ ...visit.kept, ...more })}`)
    if (chosen === null) return address()
    // whatever else refuses the time, the session's own pages say it
    return yield* holds.hold(code, chosen).pipe(
      Effect.as(address()),
      Effect.catchTags({
        SlotTaken: () => Effect.succeed(address({ step: "times", notice: "taken" })),
        TooManyHolds: () => Effect.succeed(address({ step: "times", notice: "tooMany" })),
        TooManyAppointments: () => Effect.succeed(address({ step: "times", notice: "tooMany" }))
      }),
      Effect.catchAll(() => Effect.succeed(address()))
    )
  })

  const codeForm = Effect.fnUntraced(function* (visit: PublicVisitor) {
    yield* visit.below === "" ? bookings.offered(visit.code) : bookings.purpose(visit.code, visit.below, visit.language)
    const host = yield* hosts.ofShop(visit.code)
    const token = visit.query.get("token") ?? ""
    const notice = noticeOf(visit)
    const data = { post: addressOf(visit, "/code", { token }), problem: notice }
    return respond.page(visit, host, {
      title: titleFor(visit, pageTextsOf(visit.language).codeTitle, notice),
      script: "appointment",
      stage: "public",
      body: <PublicBookingCodePage data={data} token={token} back={addressOf(visit)} />
    })
  })

  const callerOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const address = clientAddress(request, trustedProxies)
    return address === undefined ? { network: "unknown", site: "unknown", provider: "unknown" } : networksOf(address)
  })

  const toCode = (visit: PublicVisitor, notice?: PublicBookingNotice) => (token: string) => {
    const address = addressOf(visit, "/code", { token })
    return seeOther(notice === undefined ? address : withNotice(address, notice))
  }

  const begin = Effect.fnUntraced(function* (visit: PublicVisitor) {
    const field = yield* readForm
    const typed = (name: string) => field(name) ?? ""
    const back = Effect.fnUntraced(function* (notice: PublicBookingNotice) {
      const entered = Object.fromEntries(FIELDS.map((name) => [name, typed(name).slice(0, 255)]))
      return seeOther(withNotice(addressOf(visit, "", { form: yield* forms.keep(visit.code, entered) }), notice))
    })
    const { code, below, language } = visit
    const mode = below === "" ? undefined : (yield* bookings.purpose(code, below, language)).mode
    const booking = parsed(typed, mode)
    const types = mode === undefined ? (yield* bookings.offered(code)).types : []
    if (Either.isLeft(booking) || faultyFields(typed, types, yield* clock.now, mode).size > 0)
      return yield* back("invalid")
    return yield* bookings.begin(code, booking.right, { networks: yield* callerOf, language }).pipe(
      Effect.map(toCode(visit)),
      Effect.catchTag("PublicBookingRefused", ({ reason }) => back(reason))
    )
  })

  /** Enters the code, or sends another one to the same address. */
  const confirm = Effect.fnUntraced(function* (visit: PublicVisitor) {
    const field = yield* readForm
    const token = field("token") ?? visit.query.get("token") ?? ""
    if (field("action") === "resend")
      return yield* bookings.resend(visit.code, token, { networks: yield* callerOf, language: visit.language }).pipe(
        Effect.map(toCode(visit, "codeSent")),
        Effect.catchTag("PublicBookingRefused", ({ reason }) =>
          Effect.succeed(
            reason === "codeGone" ? seeOther(withNotice(addressOf(visit), reason)) : toCode(visit, reason)(token)
          )
        )
      )
    return yield* bookings.confirm(visit.code, token, field("code") ?? "", visit.language).pipe(
      Effect.flatMap((opened) => toSession(visit, opened)),
      Effect.catchTag("PublicBookingRefused", ({ reason }) => Effect.succeed(toCode(visit, reason)(token)))
    )
  })

  const handled = pageHandler(respond, closedPage, hosts.ofShop)
  const page = <E,>(handle: (visit: PublicVisitor) => Handled<E>) =>
    handled((visit) =>
      Effect.flatMap(HttpRouter.params, ({ purpose }) =>
        handle({ ...visit, below: purpose === undefined ? "" : `/${encodeURIComponent(purpose)}` })
      )
    )
  const { prefix, route } = respond
  yield* router.get(route("/book/:code"), page(form))
  yield* router.post(route("/book/:code"), page(begin))
  yield* router.post(route("/book/:code/time"), page(time))
  // A phone that restores the page of a form requests the form's address with GET
  yield* router.get(
    route("/book/:code/time"),
    page((visit) => Effect.succeed(seeOther(addressOf(visit))))
  )
  yield* router.get(route("/book/:code/:purpose"), page(purposeForm))
  yield* router.post(route("/book/:code/:purpose"), page(begin))
  for (const path of ["/book/:code/code", "/book/:code/:purpose/code"] as const) {
    yield* router.get(route(path), page(codeForm))
    yield* router.post(route(path), page(confirm))
  }
  if (prefix !== "") yield* router.get("/book/:code", redirectToPages(prefix))
})

export const PublicBookingHttp = Routes.use(serve).pipe(
  Layer.provide([
    BookingPages.Default,
    Bookings.Default,
    KeptForms.Default,
    PageHosts.Default,
    Presentations.Default,
    Respond.Default
  ])
)
