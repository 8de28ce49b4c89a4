/**
 * `{meetings_url}/meeting/{room_name}` and its WebSocket (Rule 5.5.3), another token for it (Rule 5.7.6), and the test of camera, microphone
 * and connection, below the pages of an appointment and of a booking.
 */
import { HttpServerRequest, HttpServerResponse, Socket } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { pageHandler, seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { type PageContent, Respond } from "../../../http/hosted/serving/Respond.tsx"
import { queryText, readVisit, type Visit } from "../../../http/hosted/serving/visit.ts"
import { type Router, Routes } from "../../../http/inRequest.ts"
import { reply } from "../../../http/problems.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { allowedReturn, type PageHost, PageHosts } from "../../../services/hosted/PageHosts.ts"
import { BookingPages } from "../../../services/scheduling/booking/BookingPages.ts"
import { AppointmentPages } from "../../shared/services/AppointmentPages.ts"
import { DeviceTestPage } from "../pages/views/DeviceTestPage.tsx"
import { MeetingPage } from "../pages/views/MeetingPage.tsx"
import { MeetingRooms, REFUSED } from "../services/MeetingRooms.ts"
import { meetingTexts } from "../texts/meeting.ts"

const SESSION_MAX_LENGTH = 64

/** What both pages load. */
const island = {
  script: "meeting",
  stylesheet: "meeting-stylesheet",
  texts: "texts",
  call: true
} satisfies Partial<PageContent>

const serve = Effect.fnUntraced(function* (router: Router) {
  const rooms = yield* MeetingRooms
  const appointments = yield* AppointmentPages
  const bookings = yield* BookingPages
  const hosts = yield* PageHosts
  const respond = yield* Respond

  const show = Effect.fnUntraced(function* (visit: Visit) {
    const { query, code: room } = visit
    const { role, group } = yield* Effect.mapError(rooms.roleAt(room, query.get("jwt") ?? ""), () => new PageNotFound())
    const host = yield* hosts.ofCode(room)
    const socket = `${respond.socketOrigin}${respond.prefix}/meeting/${encodeURIComponent(room)}/socket`
    const code = query.get("code")
    const page = role === "guest" ? "guest" : "appointment"
    const own = code === null ? null : `${respond.prefix}/${page}/${encodeURIComponent(code)}`
    const appointment = own === null ? null : `${own}${queryText(visit.kept)}`
    const return_url =
      appointment ?? allowedReturn(query.get("return_url"), [...host.return_url_origins, respond.ownOrigin])
    const token = yield* Effect.option(rooms.tokenForPage(room, query.get("jwt") ?? ""))
    const renewal = own === null ? null : `${own}/room`
    const texts = meetingTexts(visit.language)
    return respond.page(visit, host, {
      ...island,
      title: texts.title,
      stage: "meeting",
      body: <MeetingPage data={{ socket, role, group, return_url, token: Option.getOrNull(token), renewal, texts }} />
    })
  })

  const socket = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.headers.upgrade?.toLowerCase() !== "websocket")
      return yield* reply(426, "upgrade_required", "Open this address as a WebSocket", { upgrade: "websocket" })
    const { code: room, query } = yield* readVisit
    const session = (query.get("session") ?? "").slice(0, SESSION_MAX_LENGTH)
    const entry = yield* Effect.either(rooms.enter(room, query.get("jwt") ?? "", session))
    const connection = yield* request.upgrade
    if (entry._tag === "Left") {
      yield* Effect.flatMap(connection.writer, (write) => write(new Socket.CloseEvent(REFUSED, "refused")))
      return HttpServerResponse.empty({ status: 404 }) // not sent after the upgrade: marks the token as refused
    }
    yield* rooms.attend(entry.right, connection)
    return HttpServerResponse.empty()
  }).pipe(Effect.scoped)

  /** A token for the meeting page of this code, or how the appointment ended. */
  const room = Effect.fnUntraced(function* ({ code }: Visit) {
    const { fate } = yield* appointments.standing(code, "join")
    if (fate !== null) return HttpServerResponse.unsafeJson({ ending: fate }, { status: 409 })
    return yield* appointments.join(code).pipe(
      Effect.map(({ room_name, token }) => HttpServerResponse.unsafeJson({ room_name, token })),
      Effect.catchTag("Invalid", () =>
        Effect.succeed(HttpServerResponse.unsafeJson({ ending: "refused" }, { status: 409 }))
      )
    )
  })

  const deviceTest = Effect.fnUntraced(function* (visit: Visit, host: PageHost, back: string) {
    const texts = meetingTexts(visit.language)
    return respond.page(visit, host, {
      ...island,
      title: texts.testTitle,
      stage: "devices",
      body: <DeviceTestPage data={{ iceServers: yield* rooms.testServers, back, texts }} />
    })
  })
  const backTo = ({ code, kept }: Visit, page: "appointment" | "booking") =>
    `${respond.prefix}/${page}/${encodeURIComponent(code)}${queryText(kept)}`

  const ofAppointment = Effect.fnUntraced(function* (visit: Visit) {
    yield* appointments.standing(visit.code, "devices")
    return yield* deviceTest(visit, yield* hosts.ofCode(visit.code), backTo(visit, "appointment"))
  })
  const ofBooking = Effect.fnUntraced(function* (visit: Visit) {
    const { latest } = yield* bookings.progress(visit.code)
    const back = backTo(visit, "booking")
    if (latest?.status !== "confirmed" || latest.meeting_format !== "DIGITAL") return seeOther(back)
    return yield* deviceTest(visit, yield* hosts.ofCode(visit.code), back)
  })

  const { route } = respond
  yield* router.get(route("/meeting/:code"), pageHandler(respond, "meeting", hosts.ofCode)(show))
  yield* router.get(route("/meeting/:code/socket"), socket)
  const appointment = pageHandler(respond, "appointment", hosts.ofCode)
  yield* router.post(route("/appointment/:code/room"), appointment(room))
  yield* router.get(route("/appointment/:code/devices"), appointment(ofAppointment))
  yield* router.get(route("/booking/:code/devices"), pageHandler(respond, "booking", hosts.ofCode)(ofBooking))
})

export const MeetingPagesHttp = Routes.use(serve).pipe(
  Layer.provide([AppointmentPages.Default, BookingPages.Default, PageHosts.Default, Respond.Default])
)
