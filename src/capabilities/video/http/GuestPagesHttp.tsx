/** `{meetings_url}/guest/{code}`: where a guest agrees to secrecy and enters. Nothing happens on GET. Rule 5.7.10. */
import { HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { pageHandler, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, type Visit } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { Act } from "../../../pages/views/forms.tsx"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { closesAt, joinWindowState, OPENS_BEFORE_START_SECONDS } from "../../../schemas/scheduling/joinWindow.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { PageHosts } from "../../../services/hosted/PageHosts.ts"
import { shortTime } from "../../../services/notifications/times.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { fill } from "../../../texts/fill.ts"
import { Guests, type LiveGuest } from "../services/Guests.ts"
import { MeetingRooms } from "../services/MeetingRooms.ts"
import { guestTexts } from "../texts/guest.ts"

const serve = Effect.fnUntraced(function* (router: Router) {
  const guests = yield* Guests
  const rooms = yield* MeetingRooms
  const repo = yield* BookingRepo
  const clock = yield* DomainClock
  const hosts = yield* PageHosts
  const respond = yield* Respond

  const addressOf = ({ code, kept }: Visit) => `${respond.prefix}/guest/${encodeURIComponent(code)}${queryText(kept)}`

  /** The guest's appointment: what its room is now, or why there is none. */
  const roomOf = Effect.fnUntraced(function* ({ organisation_uid, appointment_uid }: LiveGuest) {
    const now = yield* clock.now
    const appointment = yield* repo.find(organisation_uid, appointment_uid, now)
    const { status } = appointment
    const window = joinWindowState(appointment, now)
    const ending =
      status === "cancelled" ? "cancelled" : status !== "confirmed" || window === "too_late" ? "over" : null
    return { ...appointment, ending, isOpen: window === "open", windowSeconds: closesAt(appointment) - now }
  })

  const show = Effect.fnUntraced(function* (visit: Visit) {
    const guest = yield* guests.behind(visit.code)
    const host = yield* hosts.ofCode(visit.code)
    const texts = guestTexts(visit.language)
    const { ending, isOpen, start_date } = yield* roomOf(guest)
    const reader = { language: visit.language, timezone: host.timezone }
    const values = { organisation: host.name, role: texts.roles[guest.role] }
    const body =
      ending === null ? (
        <NoticePage title={texts.title} text={fill(texts.text, values)}>
          <p>{shortTime(reader, start_date)}</p>
          <p>{texts.secrecy}</p>
          {isOpen ? (
            <form method="post" action={addressOf(visit)} class="actions">
              <Act does="agree" text={texts.agree} />
            </form>
          ) : (
            <p class="notice">
              {fill(texts.early, { when: shortTime(reader, start_date - OPENS_BEFORE_START_SECONDS) })}
            </p>
          )}
        </NoticePage>
      ) : (
        <NoticePage {...texts.over}>
          <ContactPractice />
        </NoticePage>
      )
    const title = ending === null ? texts.title : texts.over.title
    return respond.page(visit, host, { title, stage: "guest", address: addressOf(visit), body })
  })

  const enter = Effect.fnUntraced(function* (visit: Visit) {
    const guest = yield* guests.behind(visit.code)
    const { ending, isOpen, room_name, windowSeconds } = yield* roomOf(guest)
    if (ending !== null || !isOpen) return seeOther(addressOf(visit))
    yield* guests.agree(guest)
    const jwt = yield* rooms.tokenForGuest(guest, room_name, windowSeconds)
    const query = queryText({ ...visit.kept, code: visit.code, jwt })
    return seeOther(`${respond.prefix}/meeting/${encodeURIComponent(room_name)}${query}`)
  })

  /** Another token for who has agreed, or how the appointment ended. */
  const room = Effect.fnUntraced(function* ({ code }: Visit) {
    const guest = yield* guests.behind(code)
    const { ending, isOpen, room_name, windowSeconds } = yield* roomOf(guest)
    if (ending !== null || !isOpen || guest.agreed_at === null)
      return HttpServerResponse.unsafeJson({ ending: ending ?? "refused" }, { status: 409 })
    const token = yield* rooms.tokenForGuest(guest, room_name, windowSeconds)
    return HttpServerResponse.unsafeJson({ room_name, token })
  })

  const page = pageHandler(respond, "meeting", hosts.ofCode)
  yield* router.get(respond.route("/guest/:code"), page(show))
  yield* router.post(respond.route("/guest/:code"), page(enter))
  yield* router.post(respond.route("/guest/:code/room"), page(room))
})

export const GuestPagesHttp = Routes.use(serve).pipe(
  Layer.provide([BookingRepo.Default, PageHosts.Default, Respond.Default])
)
