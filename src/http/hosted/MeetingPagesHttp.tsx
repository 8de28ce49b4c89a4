/** `{meetings_url}/meeting/{room_name}` and its WebSocket (Rule 5.5.3). */
import { HttpServerRequest, HttpServerResponse, Socket } from "@effect/platform"
import { Effect, Option } from "effect"
import { MeetingPage } from "../../pages/views/MeetingPage.tsx"
import { MeetingNotFound } from "../../schemas/meetings/errors.ts"
import { allowedReturn, PageHosts } from "../../services/hosted/PageHosts.ts"
import { MeetingRooms, REFUSED } from "../../services/meetings/MeetingRooms.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { type Router, Routes } from "../inRequest.ts"
import { reply } from "../problems.ts"
import { pageHandler } from "./serving/pageHandler.ts"
import { Respond } from "./serving/Respond.tsx"
import { queryText, readVisit, type Visit } from "./serving/visit.ts"

const SESSION_MAX_LENGTH = 64

const noMeeting = () => new MeetingNotFound()

const serve = Effect.fnUntraced(function* (router: Router) {
  const rooms = yield* MeetingRooms
  const hosts = yield* PageHosts
  const respond = yield* Respond

  const show = Effect.fnUntraced(function* (visit: Visit) {
    const { query, code: room } = visit
    const { role, group } = yield* Effect.mapError(rooms.roleAt(room, query.get("jwt") ?? ""), noMeeting)
    const host = yield* hosts.ofCode(room)
    const socket = `${respond.socketOrigin}${respond.prefix}/meeting/${encodeURIComponent(room)}/socket`
    const code = query.get("code")
    const own = code === null ? null : `${respond.prefix}/appointment/${encodeURIComponent(code)}`
    const appointment = own === null ? null : `${own}${queryText(visit.kept)}`
    const return_url =
      appointment ?? allowedReturn(query.get("return_url"), [...host.return_url_origins, respond.ownOrigin])
    const token = yield* Effect.option(rooms.tokenForPage(room, query.get("jwt") ?? ""))
    const renewal = own === null ? null : `${own}/room`
    return respond.page(visit, host, {
      title: catalogue[visit.language].meeting.title,
      script: "meeting",
      stage: "meeting",
      call: true,
      body: <MeetingPage data={{ socket, role, group, return_url, token: Option.getOrNull(token), renewal }} />
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

  yield* router.get(respond.route("/meeting/:code"), pageHandler(respond, "meeting", hosts.ofCode)(show))
  yield* router.get(respond.route("/meeting/:code/socket"), socket)
})

export const MeetingPagesHttp = Routes.use(serve)
