/** Meeting rooms: admission, and the connection of each participant (Rules 5.2, 5.3, 5.7). */
import { Socket } from "@effect/platform"
import { Clock, Effect, Either, FiberSet, Option, Queue, Redacted, Schedule, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { TokenRefused } from "../../../services/access/signedTokens.ts"
import { Service } from "../../../services/Service.ts"
import { JOIN_TOKEN_PURPOSE, verifyJoinToken } from "../../../services/scheduling/joining/joinTokens.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { ClientMessage, type IceServer, type Member, type ServerMessage } from "../schemas/Signal.ts"
import { DismissalsRepo } from "./DismissalsRepo.ts"
import { Guests, type LiveGuest } from "./Guests.ts"
import { type MeetingAppointment, MeetingAppointments } from "./MeetingAppointments.ts"
import { MeetingBus } from "./MeetingBus.ts"
import {
  type Entrant,
  mintResumeToken,
  type PresentedToken,
  RESUME_TOKEN_PURPOSE,
  verifyMeetingToken
} from "./meetingTokens.ts"
import { enterRoom, HEARTBEAT_MS, type ParticipantInput, step } from "./participant.ts"
import { TURN_TEST_SECONDS, turnLifetime, turnServer } from "./turn.ts"

/**
 * Maximum messages of one connection between two heartbeats; more end it. Our browser client sends a few dozen while a call is set up,
 * and each may become a database notification.
 */
const MESSAGES_PER_HEARTBEAT = 500
const TOO_MANY = 1008
/** Maximum queued inputs of one connection. Further messages of its browser are dropped; others wait. */
const QUEUE_MAX = 256
/** Close code for a token that does not (or no longer) admit to the room: the browser does not reconnect. */
export const REFUSED = 4401

const decode = Schema.decodeUnknownEither(Schema.parseJson(ClientMessage))

/** Who may enter. */
export interface Entry extends PresentedToken {
  readonly self: Member
  readonly welcome: ServerMessage
  readonly iceServers: ReadonlyArray<IceServer>
  /** Seconds until the join window closes. */
  readonly windowSeconds: number
  /** Doctors of their appointment. */
  readonly doctors: ReadonlyArray<string>
}

const isOf = ({ room, role, id }: Entrant, appointment: MeetingAppointment) =>
  appointment.room_name === room &&
  (role === "guest" || (role === "doctor" ? appointment.doctor_uids.includes(id) : appointment.patient_uid === id))

export class MeetingRooms extends Service<MeetingRooms>()("meetings/MeetingRooms", {
  scoped: Effect.gen(function* () {
    const connections = yield* FiberSet.make()
    const bus = yield* MeetingBus
    const appointments = yield* MeetingAppointments
    const dismissals = yield* DismissalsRepo
    const guests = yield* Guests
    const box = yield* SecretBox
    const { turnUrl, turnSecret } = yield* Settings
    const keys = { join: yield* box.derive(JOIN_TOKEN_PURPOSE), resume: yield* box.derive(RESUME_TOKEN_PURPOSE) }

    /** A pseudonymous label for TURN relays, which log it: the same for a participant of an appointment in all browsers. */
    const labelOf = ({ appointment_uid, role, id }: Entrant) =>
      new Bun.CryptoHasher("sha256", keys.resume[0])
        .update(JSON.stringify(["relay", appointment_uid, role, id]))
        .digest("hex")

    const iceServersOf = (label: string, now: number, lifetime: number): ReadonlyArray<IceServer> =>
      turnUrl === undefined || turnSecret === undefined
        ? []
        : [turnServer(turnUrl.split(/[\s,]+/), Redacted.value(turnSecret), label, Math.floor(now / 1000), lifetime)]

    /** Their appointment, if it is open to them now. */
    const appointmentOf = Effect.fnUntraced(function* ({ entrant, issuedBefore, isResumed }: PresentedToken) {
      const { organisation_uid, appointment_uid, role, id } = entrant
      const found = yield* appointments.find(organisation_uid, appointment_uid)
      if (Option.isNone(found) || !(found.value.open || (isResumed && found.value.over)) || !isOf(entrant, found.value))
        return yield* new TokenRefused({ reason: "the appointment is not open to them" })
      const participant = role === "guest" ? id : "patient"
      const dismissed =
        role === "doctor" ? Option.none() : yield* dismissals.latest({ organisation_uid, appointment_uid, participant })
      if (Option.isSome(dismissed) && issuedBefore <= dismissed.value)
        return yield* new TokenRefused({ reason: "dismissed since" })
      if (role !== "guest") return { ...found.value, as: {} }
      const guest = yield* guests.find(organisation_uid, id)
      if (Option.isNone(guest) || guest.value.appointment_uid !== appointment_uid)
        return yield* new TokenRefused({ reason: "no guest of the appointment" })
      return { ...found.value, as: { capacity: guest.value.role, agreed: false } }
    })

    /**
     * Accepts a join token or a resume token of this room. Every entry looks up the appointment: it must be confirmed, its window open,
     * and they its participant. Fails with `TokenRefused`.
     */
    const enter = Effect.fn("MeetingRooms.enter")(function* (room: string, token: string, session: string) {
      const presented = yield* verifyMeetingToken(keys, token)
      const { entrant } = presented
      if (entrant.room !== room) return yield* new TokenRefused({ reason: "of another room" })
      const { closes_in_seconds: windowSeconds, minutes, doctor_uids: doctors, as } = yield* appointmentOf(presented)
      const now = yield* Clock.currentTimeMillis
      const { id, name, role, since } = entrant
      const iceServers = iceServersOf(labelOf(entrant), now, turnLifetime(windowSeconds))
      const self: Member = { id, name, role, since, session, opened: now, admitted_by: [], ...as }
      const welcome: ServerMessage = {
        type: "welcome",
        self,
        resume: yield* mintResumeToken(keys.resume, entrant, windowSeconds),
        ice_servers: role === "doctor" ? iceServers : [],
        minutes
      }
      return { ...presented, self, welcome, iceServers, windowSeconds, doctors } satisfies Entry
    })

    /** Whose page a token opens. Accepts a token that expired within the last day, since the page may resume. */
    const roleAt = Effect.fn("MeetingRooms.roleAt")(function* (room: string, token: string) {
      const claims = yield* verifyJoinToken(keys.join, token, "1 day").pipe(
        Effect.map(({ context, ...place }) => ({ ...place, ...context.user })),
        Effect.orElse(() => Effect.map(verifyMeetingToken(keys, token), ({ entrant }) => entrant))
      )
      if (claims.room !== room) return yield* new TokenRefused({ reason: "of another room" })
      return { role: claims.role, group: claims.group ?? false }
    })

    /**
     * A token for whoever opened the page in time, who may check their devices for longer than a join token lives: as a resume token, it
     * is rejected after a dismissal, and ends with the window. Fails with `TokenRefused`.
     */
    const tokenForPage = Effect.fn("MeetingRooms.tokenForPage")(function* (room: string, token: string) {
      const presented = yield* verifyMeetingToken(keys, token)
      const { entrant } = presented
      if (entrant.room !== room) return yield* new TokenRefused({ reason: "of another room" })
      const { closes_in_seconds } = yield* appointmentOf(presented)
      return yield* mintResumeToken(keys.resume, entrant, closes_in_seconds)
    })

    /** With which a guest enters, who may return as long as the window is open. `windowSeconds`: until it closes. */
    const tokenForGuest = Effect.fn("MeetingRooms.tokenForGuest")(function* (
      { organisation_uid, appointment_uid, uid: id, name }: LiveGuest,
      room: string,
      windowSeconds: number
    ) {
      const since = yield* Clock.currentTimeMillis
      const entrant = { organisation_uid, appointment_uid, room, id, name, role: "guest" as const, since }
      return yield* mintResumeToken(keys.resume, entrant, windowSeconds)
    })

    const take = Effect.fnUntraced(function* (entry: Entry, socket: Socket.Socket) {
      const { entrant, self, welcome, iceServers, windowSeconds, doctors } = entry
      const { room } = entrant
      const inbox = yield* Queue.bounded<ParticipantInput>(QUEUE_MAX)
      const messages = yield* bus.subscribe(room)
      const write = yield* socket.writer
      // Again, now that messages of the room are received: a cancellation or dismissal since the entry was checked is not missed
      if (Either.isLeft(yield* Effect.either(appointmentOf(entry))))
        return yield* write(new Socket.CloseEvent(REFUSED, "refused"))
      let received = 0
      const send = (message: ServerMessage) =>
        write(JSON.stringify(message.type === "admitted" ? { ...message, ice_servers: iceServers } : message))
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.flatMap(Effect.all([Queue.take(messages), Clock.currentTimeMillis]), ([message, now]) =>
            Queue.offer(inbox, { kind: "bus", message, now })
          )
        )
      )
      yield* Effect.forkScoped(
        Clock.currentTimeMillis.pipe(
          Effect.map((now) => {
            received = 0
            return inbox.unsafeOffer({ kind: "tick", now })
          }),
          Effect.schedule(Schedule.spaced(HEARTBEAT_MS))
        )
      )
      yield* Effect.forkScoped(Effect.delay(Queue.offer(inbox, { kind: "window_closed" }), windowSeconds * 1000))
      yield* Effect.forkScoped(
        socket
          .runRaw((data) => {
            received += 1
            if (received > MESSAGES_PER_HEARTBEAT) return write(new Socket.CloseEvent(TOO_MANY))
            const message = decode(data)
            if (message._tag === "Right") inbox.unsafeOffer({ kind: "client", message: message.right })
          })
          .pipe(Effect.exit, Effect.zipRight(Queue.offer(inbox, { kind: "lost" })))
      )

      yield* send(welcome)
      if (self.role === "doctor")
        for (const { patient_uid: member, name, minutes } of yield* appointments.lateIn(entrant.organisation_uid, room))
          yield* send({ type: "late", member, name, minutes })
      else if (self.role === "patient") yield* appointments.arrived(entrant.organisation_uid, entrant.appointment_uid)
      inbox.unsafeOffer({ kind: "enter" })
      let participant = enterRoom(room, { appointment: entrant.appointment_uid, doctors }, self, entrant.group)
      while (true) {
        const output = step(participant, yield* Queue.take(inbox))
        participant = output.participant
        for (const message of output.client) yield* send(message)
        for (const message of output.bus) {
          if (message.kind === "dismiss")
            yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
              dismissals.note(
                { ...entrant, appointment_uid: message.appointment, participant: message.participant },
                now
              )
            )
          yield* bus.publish(message)
        }
        if (output.closed !== false)
          return yield* write(new Socket.CloseEvent(output.closed === "refused" ? REFUSED : 1000))
      }
    }, Effect.scoped)

    /** Runs the participant over the connection until either ends, in the background: a shutdown need not wait for it. */
    const attend = (entry: Entry, socket: Socket.Socket) =>
      Effect.asVoid(FiberSet.run(connections, take(entry, socket)))

    /**
     * Relays for a connection test, valid for ten minutes. All tests share one user at the relay, so that its per-user limit keeps
     * capacity for calls.
     */
    const testServers = Effect.map(Clock.currentTimeMillis, (now) => iceServersOf("test", now, TURN_TEST_SECONDS))

    return { enter, roleAt, tokenForPage, tokenForGuest, attend, testServers } as const
  }),
  dependencies: [MeetingBus.Default, DismissalsRepo.Default, Guests.Default, MeetingAppointments.Default]
}) {}
