/**
 * The patients' pages of the waiting list (section 19.3): `{meetings_url}/booking/{launch_code}/waitlist` for a wish and the patient's entries,
 * and `{meetings_url}/waitlist/{code}` behind the links of an entry's mail (`wle_`) and of an offer (`wlo_`). They act by forms; nothing
 * happens on GET.
 */

import { Effect, Option, Schema } from "effect"
import { pageHandler, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, readForm, type Visit, withNotice } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { invalid } from "../../../schemas/problems.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { shortTime } from "../../../services/notifications/times.ts"
import { BookingPages, type BookingProgress } from "../../../services/scheduling/booking/BookingPages.ts"
import { powersOf } from "../../../services/scheduling/booking/BookingSessions.ts"
import { inLanguage } from "../../../texts/inLanguage.ts"
import { type Form, timesOfForm } from "../../shared/http/partsOfDayForm.ts"
import {
  type ShownEntry as EntryFacts,
  EntryPage,
  entryNotices,
  horizons,
  OfferPage,
  offerTitle,
  replacedText,
  WaitlistPage
} from "../pages/WaitlistPage.tsx"
import { OwnWaitlistEntry, WaitlistEntryUid } from "../schemas/Waitlist.ts"
import { Entries } from "../services/Entries.ts"
import { Offers } from "../services/Offers.ts"
import type { ShownEntry, ShownOffer } from "../services/WaitlistRepo.ts"
import { WaitlistSignups } from "../services/WaitlistSignups.ts"
import { pageTextsOf } from "../texts/page.ts"

const noticeOf = ({ notice }: Visit) => entryNotices.find((one) => one === notice) ?? null

const nameOf = ({ language }: Visit, { appointment_type_name: name, translations }: ShownEntry | ShownOffer) =>
  inLanguage({ name, translations }, language).name

const factsOf = (visit: Visit, entry: ShownEntry): EntryFacts => ({ ...entry, type_name: nameOf(visit, entry) })

const decodeWish = Schema.decodeUnknown(OwnWaitlistEntry)

/** What a button of an entry sets. */
const steps = { pause: "paused", "go-on": "waiting", leave: "ended" } as const
const stepOf = (action: string | undefined) =>
  action === "pause" || action === "go-on" || action === "leave" ? steps[action] : undefined

const refusedUnlessUnknown = <E extends { readonly _tag: string }>(error: E) =>
  error._tag === "WaitlistOfferNotFound" ? Effect.fail(error) : Effect.void

const serve = Effect.fnUntraced(function* (router: Router) {
  const offers = yield* Offers
  const entries = yield* Entries
  const signups = yield* WaitlistSignups
  const bookings = yield* BookingPages
  const hosts = yield* PageHosts
  const clock = yield* DomainClock
  const respond = yield* Respond

  // ---- By launch code

  const bookingAddress = (visit: Visit, path = "", more = {}) =>
    `${respond.prefix}/booking/${encodeURIComponent(visit.code)}${path}${queryText({ ...visit.kept, ...more })}`

  /** Every live entry of the patient; a session that a code opened to move an appointment shows that appointment's alone. Rule 5.4.15. */
  const ownEntries = ({ session }: BookingProgress) =>
    Effect.map(entries.ofPatient(session.organisation_uid, session.patient_uid), (all) =>
      session.link_kind === null ? all : all.filter((one) => one.appointment_uid === session.replaces_appointment_uid)
    )

  /** The session, if its page has a waiting list; none for one that is over, or whose type has none. */
  const openSession = Effect.fnUntraced(function* (code: string) {
    const progress = yield* bookings.progress(code)
    const { session } = progress
    const isOffered =
      !progress.expired &&
      powersOf(session).own &&
      (yield* entries.isOnPages(session.organisation_uid, session.appointment_type_uid))
    return isOffered ? Option.some(progress) : Option.none()
  })

  const showOwn = Effect.fnUntraced(function* (visit: Visit) {
    const found = yield* openSession(visit.code)
    if (Option.isNone(found)) return seeOther(bookingAddress(visit))
    const { session } = found.value
    const host = yield* hosts.ofCode(visit.code)
    const own = yield* Effect.option(entries.getOwn(visit.code))
    const listed = yield* ownEntries(found.value)
    const isOwn = (uid: string) => Option.isSome(own) && own.value.uid === uid
    const ofType = listed.filter((one) =>
      session.replaces_appointment_uid === null
        ? one.appointment_type_uid === session.appointment_type_uid && one.appointment_uid === null
        : one.appointment_uid === session.replaces_appointment_uid
    )
    const form = ofType.length === 0 ? "new" : ofType.some(({ uid }) => isOwn(uid)) ? "own" : null
    const texts = pageTextsOf(visit.language)
    return respond.page(visit, host, {
      title: form === "new" ? texts.ask.title : texts.entry.title,
      script: "booking",
      stage: "waitlist",
      address: bookingAddress(visit, "/waitlist"),
      body: (
        <WaitlistPage
          data={{
            zone: visit.zone ?? host.timezone,
            post: bookingAddress(visit, "/waitlist"),
            back: bookingAddress(visit, "", { step: "times" }),
            notice: noticeOf(visit),
            entries: listed.map((entry) => factsOf(visit, entry)),
            doctors: yield* entries.doctorsOf(session.organisation_uid, session.appointment_type_uid),
            form,
            isMove: session.mode === "rebooking"
          }}
        />
      )
    })
  })

  const wishOf = Effect.fnUntraced(function* (field: Form) {
    const days = horizons.find((one) => one === field("days"))
    const doctor = field("doctor") ?? ""
    return yield* decodeWish({
      doctor_uids: doctor === "" ? [] : [doctor],
      weekdays: field.all("weekday").map(Number),
      times: timesOfForm(field),
      // the end of a day, so that the same wish pressed twice is one
      ...(days !== undefined && { to: (Math.floor((yield* clock.now) / DAY) + Number(days)) * DAY })
    }).pipe(Effect.mapError(() => invalid("doctor", "must be one of those offered")))
  })

  const actOwn = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const back = (notice: (typeof entryNotices)[number] | undefined) => {
      const address = bookingAddress(visit, "/waitlist")
      return seeOther(notice === undefined ? address : withNotice(address, notice))
    }
    const found = yield* openSession(visit.code)
    if (Option.isNone(found)) return seeOther(bookingAddress(visit))
    const { session } = found.value
    const step = stepOf(field("action"))
    if (step !== undefined) {
      const uid = WaitlistEntryUid.make(field("entry") ?? "")
      if ((yield* ownEntries(found.value)).some((one) => one.uid === uid)) yield* entries.steer(session, uid, step)
      return back(undefined)
    }
    const before = yield* Effect.option(entries.getOwn(visit.code))
    return yield* wishOf(field).pipe(
      Effect.flatMap((wish) => signups.bySession(session.organisation_uid, visit.code, wish, visit.chosenLanguage)),
      Effect.as(back(Option.isSome(before) ? "changed" : "saved")),
      Effect.catchTags({
        Invalid: () => Effect.succeed(back("refused")),
        AppointmentTypeNotFound: () => Effect.succeed(back("refused")),
        TooManyEntries: () => Effect.succeed(back("tooMany"))
      })
    )
  })

  // ---- By the code of an entry or an offer

  const addressOf = (visit: Visit) =>
    `${respond.prefix}/waitlist/${encodeURIComponent(visit.code)}${queryText(visit.kept)}`
  const isEntry = ({ code }: Visit) => code.startsWith("wle_")

  /** What the patient sees after leaving, when the code is no longer valid. */
  const leftPage = Effect.fnUntraced(function* (visit: Visit) {
    const { title, text } = pageTextsOf(visit.language).left
    const host = yield* hosts.ofCode(visit.code)
    const body = (
      <NoticePage title={title} text={text}>
        <ContactPractice />
      </NoticePage>
    )
    return respond.page(visit, host, {
      title,
      stage: "waitlist-left",
      address: withNotice(addressOf(visit), "left"),
      body
    })
  })

  const entryPage = Effect.fnUntraced(function* (visit: Visit) {
    const entry = yield* entries.behind(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    return respond.page(visit, host, {
      title: pageTextsOf(visit.language).entry.title,
      script: "appointment",
      stage: "waitlist",
      address: addressOf(visit),
      body: (
        <EntryPage
          zone={visit.zone ?? host.timezone}
          entry={factsOf(visit, entry)}
          post={addressOf(visit)}
          notice={noticeOf(visit)}
        />
      )
    })
  })

  const offerPage = Effect.fnUntraced(function* (visit: Visit) {
    const offer = yield* offers.behind(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    const now = yield* clock.now
    const status = offers.statusAt(offer, now)
    const isOver = offer.entry_status === "booked" || offer.entry_status === "ended"
    const zone = visit.zone ?? offer.doctor_timezone
    const data = {
      zone,
      type_name: nameOf(visit, offer),
      doctor_name: offer.doctor_display_name,
      start_date: offer.start_date,
      end_date: offer.end_date,
      status,
      canAccept: !isOver && (status === "offered" || (status === "lapsed" && offer.start_date > now)),
      until: shortTime({ language: visit.language, timezone: zone }, offer.expires_at),
      held: offer.hold_uid !== null,
      replaces: replacedText(visit.language, zone, offer.replaced_start),
      entry_status: offer.entry_status,
      booked: Option.getOrNull(
        Option.map(yield* offers.booked(offer), ({ allow_patient_rebooking }) => ({ movable: allow_patient_rebooking }))
      ),
      past: offer.end_date <= now,
      post: addressOf(visit)
    }
    return respond.page(visit, host, {
      title: offerTitle(visit.language, data),
      script: "appointment",
      stage: "waitlist",
      address: addressOf(visit),
      body: <OfferPage data={data} />
    })
  })

  const show = Effect.fnUntraced(
    function* (visit: Visit) {
      return yield* isEntry(visit) ? entryPage(visit) : offerPage(visit)
    },
    (shown, visit) =>
      Effect.catchIf(
        shown,
        ({ _tag }) => visit.notice === "left" && (_tag === "WaitlistOfferNotFound" || _tag === "WaitlistEntryNotFound"),
        () => leftPage(visit)
      )
  )

  const act = Effect.fnUntraced(function* (visit: Visit) {
    const field = yield* readForm
    const action = field("action")
    const step = stepOf(action)
    if (!isEntry(visit) && (action === "view" || action === "rebook" || action === "cancel")) {
      const link = yield* offers.manage(visit.code, action === "view" ? "join" : action)
      return seeOther(`${respond.prefix}/appointment/${link.code}${queryText(visit.kept)}`)
    }
    // A refusal is shown by the offer's new state on the page
    if (!isEntry(visit) && action === "accept") yield* Effect.catchAll(offers.accept(visit.code), refusedUnlessUnknown)
    if (!isEntry(visit) && action === "decline")
      yield* Effect.catchAll(offers.decline(visit.code), refusedUnlessUnknown)
    if (step !== undefined) {
      const entry = yield* isEntry(visit)
        ? entries.behind(visit.code)
        : Effect.map(offers.behind(visit.code), (offer) => ({ ...offer, uid: offer.entry_uid }))
      yield* entries.steer(entry, entry.uid, step)
    }
    return seeOther(step === "ended" ? withNotice(addressOf(visit), "left") : addressOf(visit))
  })

  const page = pageHandler(respond, "appointment", hosts.ofCode)
  const ofBooking = pageHandler(respond, "booking", hosts.ofCode)
  const { route } = respond
  yield* router.get(route("/waitlist/:code"), page(show))
  yield* router.post(route("/waitlist/:code"), page(act))
  yield* router.get(route("/booking/:code/waitlist"), ofBooking(showOwn))
  yield* router.post(route("/booking/:code/waitlist"), ofBooking(actOwn))
})

export const WaitlistPagesHttp = Routes.use(serve)
