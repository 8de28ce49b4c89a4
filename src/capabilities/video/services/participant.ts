import { onOneLine } from "../../../schemas/fields.ts"
import type { BusMessage, ClientMessage, Member, ServerMessage } from "../schemas/Signal.ts"

/**
 * A meeting participant as a pure state machine: an input gives the next state and the messages to the browser and to other participants.
 * A room has no state of its own: participants announce themselves to each other, so that those of one room may be connected to different
 * replicas. A participant authorises its own browser's actions.
 */
export interface Participant {
  readonly room: string
  /** The appointment with which they entered. */
  readonly appointment: string
  /** Its doctors when they entered. */
  readonly doctors: ReadonlyArray<string>
  readonly self: Member
  readonly others: ReadonlyMap<string, Seen>
  /** Patients admitted by this doctor over this connection, including disconnected ones, with their appointments. */
  readonly admitted: ReadonlyMap<string, string>
  /** Whether they are a patient of a group, who may choose a name and talks with one doctor at a time. */
  readonly inGroup: boolean
  /** The last `standing` sent to a waiting patient: it is sent only when it changes. */
  readonly sentStanding: string
}

interface Seen {
  readonly member: Member
  /** The appointment with which they entered. */
  readonly appointment: string
  /** Milliseconds. */
  readonly lastSeen: number
}

/** Inputs of a participant. Times are milliseconds. */
export type ParticipantInput =
  | { readonly kind: "enter" }
  | { readonly kind: "client"; readonly message: ClientMessage }
  | { readonly kind: "bus"; readonly message: BusMessage; readonly now: number }
  | { readonly kind: "tick"; readonly now: number }
  | { readonly kind: "window_closed" }
  | { readonly kind: "lost" }

/** `done`: they left or were replaced; `refused`: their appointment no longer admits them. */
export type Closed = false | "done" | "refused"

/** The result of an input. Any value of `closed` except false ends the connection. */
export interface ParticipantOutput {
  readonly participant: Participant
  readonly client: ReadonlyArray<ServerMessage>
  readonly bus: ReadonlyArray<BusMessage>
  readonly closed: Closed
}

/** A participant that was silent for this long is gone: three missed heartbeats. */
export const TIMEOUT_MS = 25_000
/** How often a participant announces itself. */
export const HEARTBEAT_MS = 8_000

export const enterRoom = (
  room: string,
  { appointment, doctors }: Pick<Participant, "appointment" | "doctors">,
  self: Member,
  group = false
): Participant => ({
  room,
  appointment,
  doctors,
  self,
  others: new Map(),
  admitted: new Map(),
  inGroup: group && self.role === "patient",
  sentStanding: ""
})

const answer = (
  participant: Participant,
  output: Partial<Omit<ParticipantOutput, "participant">> = {}
): ParticipantOutput => ({
  client: [],
  bus: [],
  closed: false,
  ...output,
  participant
})

const here = ({ room, appointment, self }: Participant, reply: boolean): BusMessage => ({
  kind: "here",
  room,
  from: self,
  appointment,
  reply
})

/** Patients see doctors and the guests of their appointment, never another patient. */
const maySeeProfile = ({ self, appointment }: Participant, { member, appointment: theirs }: Omit<Seen, "lastSeen">) =>
  self.role === "doctor" ||
  member.role === "doctor" ||
  (theirs === appointment && (self.role === "guest" || member.role === "guest"))

/** The doctors whose call a patient or guest is in: of a guest only if the patient has agreed. */
const calledBy = ({ role, agreed, admitted_by }: Member) => (role === "guest" && agreed !== true ? [] : admitted_by)

/** A patient and the guests of their appointment talk to the doctors who admitted them, and all of these talk to each other. */
const mayTalk = (participant: Participant, other: Seen) => {
  const { self, others } = participant
  const { member } = other
  if (self.role === "doctor" && member.role === "doctor")
    return [...others.values()].some((one) => [self, member].every(({ id }) => calledBy(one.member).includes(id)))
  if (self.role === "doctor") return calledBy(member).includes(self.id)
  if (member.role === "doctor") return calledBy(self).includes(member.id)
  return maySeeProfile(participant, other) && calledBy(self).some((doctor) => calledBy(member).includes(doctor))
}

const standing = (participant: Participant): ServerMessage => {
  const others = [...participant.others.values()].map(({ member }) => member)
  const doctor = others.find((member) => member.role === "doctor")
  const patients = others.filter((member) => member.role === "patient")
  const earlier = (member: Member) =>
    member.since < participant.self.since ||
    (member.since === participant.self.since && member.id < participant.self.id)
  return {
    type: "standing",
    before: patients.filter((member) => member.admitted_by.length === 0 && earlier(member)).length,
    doctor:
      doctor === undefined ? "absent" : patients.some((member) => member.admitted_by.length > 0) ? "busy" : "present",
    doctor_name: doctor?.name ?? ""
  }
}

/** Sends a waiting patient their position in the queue, and a guest what they wait for, if it has changed. */
const withStanding = (output: ParticipantOutput): ParticipantOutput => {
  const { participant } = output
  const { self } = participant
  if (self.role === "doctor" || calledBy(self).length > 0) return output
  const message: ServerMessage =
    self.role === "patient"
      ? standing(participant)
      : { type: "pending", admitted: self.admitted_by.length > 0, agreed: self.agreed === true }
  const sentStanding = JSON.stringify(message)
  return sentStanding === participant.sentStanding
    ? output
    : { ...output, participant: { ...participant, sentStanding }, client: [...output.client, message] }
}

const withOther = (participant: Participant, { member, ...seen }: Seen): Participant => ({
  ...participant,
  others: new Map(participant.others).set(member.id, { member, ...seen })
})

const without = (participant: Participant, id: string, left: boolean): ParticipantOutput => {
  const known = participant.others.get(id)
  if (known === undefined) return answer(participant)
  const others = new Map(participant.others)
  others.delete(id)
  const client: ReadonlyArray<ServerMessage> = maySeeProfile(participant, known)
    ? [{ type: "gone", member: id, left }]
    : []
  return answer({ ...participant, others }, { client })
}

const gone = (participant: Participant, left: boolean): BusMessage => ({
  kind: "gone",
  room: participant.room,
  from: participant.self.id,
  opened: participant.self.opened,
  left
})

/** They are told that the conversation is over, and disconnected. */
const dismissed = (participant: Participant): ParticipantOutput =>
  answer(participant, { client: [{ type: "dismissed" }], bus: [gone(participant, true)], closed: "done" })

/** The appointment does not admit a patient or guest any more. A doctor stays: a persistent room may contain patients of other appointments. */
const ended = (participant: Participant): ParticipantOutput =>
  participant.self.role === "doctor"
    ? answer(participant)
    : answer(participant, { bus: [gone(participant, true)], closed: "refused" })

const dismissal = ({ room, self }: Participant, { member, appointment }: Seen): BusMessage => ({
  kind: "dismiss",
  room,
  from: self.id,
  to: member.id,
  appointment,
  participant: member.id
})

const fromClient = (participant: Participant, message: ClientMessage): ParticipantOutput => {
  const { room, self } = participant
  switch (message.type) {
    case "ping":
      return answer(participant, { client: [{ type: "pong" }] })
    case "leave":
      return answer(participant, { bus: [gone(participant, true)], closed: "done" })
    case "rename": {
      const name = onOneLine(message.name)
      if (!participant.inGroup || name === "") return answer(participant)
      const renamed = { ...participant, self: { ...self, name } }
      return answer(renamed, { bus: [here(renamed, false)] })
    }
    case "admit": {
      const target = participant.others.get(message.member)
      if (self.role !== "doctor" || target === undefined || target.member.role === "doctor") return answer(participant)
      const { id: to } = target.member
      const admitted = new Map(participant.admitted).set(to, target.appointment)
      return answer({ ...participant, admitted }, { bus: [{ kind: "admit", room, from: self.id, to }] })
    }
    case "agree":
    case "refuse": {
      const target = participant.others.get(message.member)
      if (self.role !== "patient" || target?.member.role !== "guest" || !maySeeProfile(participant, target))
        return answer(participant)
      const { id: to } = target.member
      return answer(participant, {
        bus: [message.type === "agree" ? { kind: "agree", room, from: self.id, to } : dismissal(participant, target)]
      })
    }
    case "dismiss": {
      const { member: to } = message
      const known = participant.others.get(to)
      if (self.role === "doctor" && known?.member.role === "guest")
        return answer(participant, { bus: [dismissal(participant, known)] })
      const appointment =
        participant.admitted.get(to) ?? (known?.member.admitted_by.includes(self.id) ? known.appointment : undefined)
      if (self.role !== "doctor" || appointment === undefined) return answer(participant)
      return answer(participant, {
        bus: [{ kind: "dismiss", room, from: self.id, to, appointment, participant: "patient" }]
      })
    }
    case "signal": {
      const target = participant.others.get(message.to)
      if (target === undefined || !mayTalk(participant, target)) return answer(participant)
      const { to, data } = message
      return answer(participant, { bus: [{ kind: "signal", room, from: self.id, session: self.session, to, data }] })
    }
  }
}

/** Tells everybody, and their browser if they are in the doctors' call: a guest is once both the doctor and the patient want it. */
const withAdmission = (participant: Participant, doctors: ReadonlyArray<string>): ParticipantOutput =>
  answer(
    { ...participant, sentStanding: "" },
    {
      client: doctors
        .filter((by) => calledBy(participant.self).includes(by))
        .map((by) => ({ type: "admitted", by, ice_servers: [] })),
      bus: [here(participant, false)]
    }
  )

const fromBus = (participant: Participant, message: BusMessage, now: number): ParticipantOutput => {
  const { self } = participant
  switch (message.kind) {
    case "here": {
      const { from } = message
      if (from.id === self.id)
        return from.opened > self.opened
          ? answer(participant, { client: [{ type: "replaced" }], closed: "done" })
          : answer(participant)
      const known = participant.others.get(from.id)?.member
      if (known !== undefined && known.opened > from.opened) return answer(participant)
      return answer(withOther(participant, { member: from, appointment: message.appointment, lastSeen: now }), {
        client: maySeeProfile(participant, { member: from, appointment: message.appointment })
          ? [{ type: "member", member: from, same_appointment: message.appointment === participant.appointment }]
          : [],
        bus: message.reply ? [here(participant, false)] : []
      })
    }
    case "gone":
      return participant.others.get(message.from)?.member.opened === message.opened
        ? without(participant, message.from, message.left)
        : answer(participant)
    case "admit": {
      if (message.to !== self.id || self.role === "doctor") return answer(participant)
      const both = [...new Set([...self.admitted_by, message.from])]
      // a doctor of another appointment takes the patient over and does not listen in
      const joins = !participant.inGroup && both.every((doctor) => participant.doctors.includes(doctor))
      const admitted_by = joins ? both : [message.from]
      return withAdmission({ ...participant, self: { ...self, admitted_by } }, [message.from])
    }
    case "agree":
      if (message.to !== self.id || self.role !== "guest" || self.agreed) return answer(participant)
      return withAdmission({ ...participant, self: { ...self, agreed: true } }, self.admitted_by)
    case "dismiss":
      // also if they have reconnected with a resume token since, and wait; with the patient the guests
      if (message.to === self.id) return dismissed(participant)
      if (self.role === "guest" && message.participant === "patient" && message.appointment === participant.appointment)
        return dismissed(participant)
      return answer(
        participant,
        self.role === "doctor" && message.from !== self.id ? { client: [{ type: "ended", member: message.to }] } : {}
      )
    case "late": {
      const { from: member, by, name, minutes } = message
      return answer(participant, self.role !== by ? { client: [{ type: "late", member, name, minutes }] } : {})
    }
    case "ended":
      return message.appointment === participant.appointment ? ended(participant) : answer(participant)
    case "signal": {
      const sender = participant.others.get(message.from)
      if (message.to !== self.id || sender === undefined || !mayTalk(participant, sender)) return answer(participant)
      const { from, session, data } = message
      return answer(participant, { client: [{ type: "signal", from, session, data }] })
    }
  }
}

const tick = (participant: Participant, now: number): ParticipantOutput => {
  const silent = [...participant.others.values()].filter(({ lastSeen }) => now - lastSeen > TIMEOUT_MS)
  const emptied = silent.reduce<ParticipantOutput>((output, { member }) => {
    const next = without(output.participant, member.id, false)
    return { ...next, client: [...output.client, ...next.client] }
  }, answer(participant))
  return { ...emptied, bus: [here(emptied.participant, false)] }
}

/** The state and the messages after one input. Forbidden actions are ignored. */
export const step = (participant: Participant, input: ParticipantInput): ParticipantOutput => {
  switch (input.kind) {
    case "enter":
      return withStanding(answer(participant, { bus: [here(participant, true)] }))
    case "client":
      return fromClient(participant, input.message)
    case "bus":
      return withStanding(fromBus(participant, input.message, input.now))
    case "tick":
      return withStanding(tick(participant, input.now))
    case "window_closed":
      return ended(participant)
    case "lost":
      return answer(participant, { bus: [gone(participant, false)], closed: "done" })
  }
}
