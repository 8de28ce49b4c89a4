/** The room in which doctor and patient meet: who is let in, and the seat of each connection (Rule 5.7). */
import { Socket } from "@effect/platform"
import { Clock, Effect, FiberSet, Queue, Redacted, Schedule, Schema } from "effect"
import { Settings } from "../../config.ts"
import {
  ClientMessage,
  type IceServer,
  type MeetingRole,
  type Member,
  type ServerMessage
} from "../../schemas/meetings/Signal.ts"
import { TokenRefused } from "../access/signedTokens.ts"
import { SecretBox } from "../SecretBox.ts"
import { JOIN_TOKEN_PURPOSE, verifyJoinToken } from "../scheduling/joining/joinToken.ts"
import { type Guest, mintResumeToken, RESUME_TOKEN_PURPOSE, verifyResumeToken } from "./doorTokens.ts"
import { MeetingBus } from "./MeetingBus.ts"
import { type SeatInput, SIGN_OF_LIFE_MS, step, takeSeat } from "./seat.ts"
import { turnServer } from "./turn.ts"

/** No message that a browser of ours sends is larger. */
const LARGEST_MESSAGE = 32_768
/** What waits to be dealt with on one connection at most; a flood beyond it is dropped. */
const LONGEST_QUEUE = 256

const decode = Schema.decodeUnknownEither(Schema.parseJson(ClientMessage))

export class MeetingRooms extends Effect.Service<MeetingRooms>()("meetings/MeetingRooms", {
  scoped: Effect.gen(function* () {
    const seated = yield* FiberSet.make()
    const bus = yield* MeetingBus
    const box = yield* SecretBox
    const { turnUrl, turnSecret } = yield* Settings
    const joinKey = yield* box.derive(JOIN_TOKEN_PURPOSE)
    const resumeKey = yield* box.derive(RESUME_TOKEN_PURPOSE)

    const iceServers = (session: string, now: number): ReadonlyArray<IceServer> =>
      turnUrl === undefined || turnSecret === undefined
        ? []
        : [turnServer(turnUrl.split(/[\s,]+/), Redacted.value(turnSecret), session, Math.floor(now / 1000))]

    const arrival = Effect.fnUntraced(function* (token: string, now: number) {
      const { room, context } = yield* verifyJoinToken(joinKey, token)
      const { id, name, role } = context.user
      const guest: Guest = { room, id, name, role, since: now }
      return guest
    })

    /** Lets in who brings a join token or a resume token of this very room. */
    const enter = Effect.fn("MeetingRooms.enter")(function* (room: string, token: string, session: string) {
      const now = yield* Clock.currentTimeMillis
      const guest = yield* Effect.orElse(arrival(token, now), () => verifyResumeToken(resumeKey, token))
      if (guest.room !== room) return yield* new TokenRefused({ reason: "of another room" })
      const { id, name, role, since } = guest
      const self: Member = { id, name, role, since, session, opened: now, admitted_by: null }
      const welcome: ServerMessage = {
        type: "welcome",
        self,
        resume: yield* mintResumeToken(resumeKey, guest),
        ice_servers: iceServers(session, now)
      }
      return { room, self, welcome }
    })

    /** The part that a page's token gives. A token that was good lately still shows the page: its seat may be resumed. */
    const roleAt = Effect.fn("MeetingRooms.roleAt")(function* (room: string, token: string) {
      const claims = yield* verifyJoinToken(joinKey, token, "1 day")
      if (claims.room !== room) return yield* new TokenRefused({ reason: "of another room" })
      const role: MeetingRole = claims.context.user.role
      return role
    })

    const sit = Effect.fnUntraced(function* (
      { room, self, welcome }: Effect.Effect.Success<ReturnType<typeof enter>>,
      socket: Socket.Socket
    ) {
      const inbox = yield* Queue.dropping<SeatInput>(LONGEST_QUEUE)
      const heard = yield* bus.subscribe(room)
      const write = yield* socket.writer
      const say = (message: ServerMessage) => write(JSON.stringify(message))
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.zipWith(Queue.take(heard), Clock.currentTimeMillis, (message, now) =>
            inbox.unsafeOffer({ kind: "bus", message, now })
          )
        )
      )
      yield* Effect.forkScoped(
        Clock.currentTimeMillis.pipe(
          Effect.map((now) => inbox.unsafeOffer({ kind: "tick", now })),
          Effect.schedule(Schedule.spaced(SIGN_OF_LIFE_MS))
        )
      )
      yield* Effect.forkScoped(
        socket
          .runRaw((data) => {
            const text = typeof data === "string" && data.length <= LARGEST_MESSAGE ? data : ""
            const message = decode(text)
            if (message._tag === "Right") inbox.unsafeOffer({ kind: "client", message: message.right })
          })
          .pipe(Effect.exit, Effect.zipRight(Queue.offer(inbox, { kind: "lost" })))
      )

      yield* say(welcome)
      inbox.unsafeOffer({ kind: "enter" })
      let seat = takeSeat(room, self)
      while (true) {
        const output = step(seat, yield* Queue.take(inbox))
        seat = output.seat
        for (const message of output.client) yield* say(message)
        for (const message of output.bus) yield* bus.publish(message)
        if (output.closed) return yield* write(new Socket.CloseEvent(1000))
      }
    }, Effect.scoped)

    /**
     * Sits on the seat until the connection ends, or the seat does, or the service: nobody has to wait for it, least of
     * all a shutdown. A browser whose connection ends so finds another replica by itself.
     */
    const attend = (entry: Effect.Effect.Success<ReturnType<typeof enter>>, socket: Socket.Socket) =>
      Effect.asVoid(FiberSet.run(seated, sit(entry, socket)))

    return { enter, roleAt, attend } as const
  }),
  dependencies: [MeetingBus.Default]
}) {}
