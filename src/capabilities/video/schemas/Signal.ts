import { Schema } from "effect"

/** Role of a participant in a meeting room: a doctor admits, patients and guests wait, and a patient agrees to guests. */
export const MeetingRole = Schema.Literal("patient", "doctor", "guest")
export type MeetingRole = typeof MeetingRole.Type

/** In what capacity a guest takes part. */
export const GuestRole = Schema.Literal("interpreter", "relative", "care")
export type GuestRole = typeof GuestRole.Type

const text = (most: number) => Schema.String.pipe(Schema.maxLength(most))

/** WebRTC signals between two browsers; the service relays them without reading them. */
export const SignalData = Schema.Struct({
  description: Schema.optional(
    Schema.Struct({ type: Schema.Literal("offer", "answer", "pranswer", "rollback"), sdp: text(24_000) })
  ),
  candidate: Schema.optional(
    Schema.Struct({
      candidate: text(1_000),
      sdpMid: Schema.NullOr(text(64)),
      sdpMLineIndex: Schema.NullOr(Schema.Int),
      usernameFragment: Schema.optional(Schema.NullOr(text(256)))
    })
  ),
  media: Schema.optional(Schema.Struct({ audio: Schema.Boolean, video: Schema.Boolean }))
})
export type SignalData = typeof SignalData.Type

/** Messages from a browser. */
export const ClientMessage = Schema.Union(
  Schema.Struct({ type: Schema.Literal("ping") }),
  Schema.Struct({ type: Schema.Literal("leave") }),
  // a patient of a group, who is a number unless they choose a name
  Schema.Struct({ type: Schema.Literal("rename"), name: text(60) }),
  // a doctor admits or removes; a patient lets a guest take part, or not
  Schema.Struct({ type: Schema.Literal("admit", "dismiss", "agree", "refuse"), member: text(255) }),
  Schema.Struct({ type: Schema.Literal("signal"), to: text(255), data: SignalData })
)
export type ClientMessage = typeof ClientMessage.Type

/** A participant in a room. */
export const Member = Schema.Struct({
  /** the uid of the patient or doctor: a person is in a room once */
  id: Schema.String,
  /** one opening of the page: a reload is a new session, a reconnection is not */
  session: Schema.String,
  /** when this connection was made, in milliseconds: a person's newest connection replaces earlier ones */
  opened: Schema.Number,
  name: Schema.String,
  role: MeetingRole,
  /** in what capacity a guest takes part */
  capacity: Schema.optional(GuestRole),
  /** whether the patient lets the guest take part */
  agreed: Schema.optional(Schema.Boolean),
  /** since when the person has been waiting, in milliseconds; kept across reconnections */
  since: Schema.Number,
  /** the doctors who admitted the patient or guest, all of whom are in the call; empty while waiting */
  admitted_by: Schema.Array(Schema.String)
})
export type Member = typeof Member.Type

/** Messages to a browser. */
export type ServerMessage =
  | {
      readonly type: "welcome"
      readonly self: Member
      /** readmits this browser after the join token has expired */
      readonly resume: string
      /** TURN servers for the call; empty for patients, who get them with `admitted` */
      readonly ice_servers: ReadonlyArray<IceServer>
      /** length of the appointment, in minutes */
      readonly minutes: number
    }
  | { readonly type: "pong" }
  | {
      readonly type: "member"
      readonly member: Member
      /** they entered with the same appointment as this participant */
      readonly same_appointment: boolean
    }
  | { readonly type: "gone"; readonly member: string; readonly left: boolean }
  /** for doctors: an absent patient has announced a late arrival */
  | { readonly type: "late"; readonly member: string; readonly name: string; readonly minutes: number }
  | {
      readonly type: "standing"
      /** number of patients ahead */
      readonly before: number
      readonly doctor: "absent" | "present" | "busy"
      readonly doctor_name: string
    }
  | {
      readonly type: "admitted"
      readonly by: string
      /** TURN servers for the call: patients get them only with their admission */
      readonly ice_servers: ReadonlyArray<IceServer>
    }
  /** for guests who wait: what they wait for */
  | { readonly type: "pending"; readonly admitted: boolean; readonly agreed: boolean }
  /** for doctors: the call has ended for the patient, or a guest was removed */
  | { readonly type: "ended"; readonly member: string }
  | { readonly type: "dismissed" }
  | { readonly type: "replaced" }
  | { readonly type: "signal"; readonly from: string; readonly session: string; readonly data: SignalData }

/** A STUN or TURN server, as in `RTCPeerConnection`'s configuration. */
export interface IceServer {
  readonly urls: ReadonlyArray<string>
  readonly username: string
  readonly credential: string
}

const inRoom = { room: Schema.String }
const fromOne = { ...inRoom, from: Schema.String }
const toOne = { ...fromOne, to: Schema.String }

/** Messages between the participants of a room, across replicas. `appointment` is that with which they entered. */
export const BusMessage = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("here"),
    ...inRoom,
    from: Member,
    appointment: Schema.String,
    reply: Schema.Boolean
  }),
  Schema.Struct({ kind: Schema.Literal("gone"), ...fromOne, opened: Schema.Number, left: Schema.Boolean }),
  Schema.Struct({ kind: Schema.Literal("admit", "agree"), ...toOne }),
  Schema.Struct({
    kind: Schema.Literal("dismiss"),
    ...toOne,
    appointment: Schema.String,
    /** as in `meeting_dismissals` */
    participant: Schema.String
  }),
  Schema.Struct({
    kind: Schema.Literal("late"),
    ...fromOne,
    by: Schema.Literal("patient", "doctor"),
    name: Schema.String,
    minutes: Schema.Number
  }),
  // it is cancelled or moved
  Schema.Struct({ kind: Schema.Literal("ended"), ...inRoom, appointment: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("signal"), ...toOne, session: Schema.String, data: SignalData })
)
export type BusMessage = typeof BusMessage.Type
