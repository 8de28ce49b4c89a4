import type { BusMessage, ClientMessage, Member, ServerMessage } from "../../schemas/meetings/Signal.ts"

/**
 * One person's place in a meeting room, as a pure machine: what came in, what goes to the browser, what goes to the
 * other seats. A room has no state of its own anywhere, only seats that tell each other who is there, so that the
 * people of one room may be connected to different replicas. What a browser may do is decided by its own seat.
 */
export interface Seat {
  readonly room: string
  readonly self: Member
  readonly others: ReadonlyMap<string, Seen>
  /** the last standing told to a waiting patient, to say it again only when it changes */
  readonly told: string
}

interface Seen {
  readonly member: Member
  /** milliseconds */
  readonly heard: number
}

/** What happens to a seat. Times are milliseconds. */
export type SeatInput =
  | { readonly kind: "enter" }
  | { readonly kind: "client"; readonly message: ClientMessage }
  | { readonly kind: "bus"; readonly message: BusMessage; readonly now: number }
  | { readonly kind: "tick"; readonly now: number }
  | { readonly kind: "lost" }

/** What follows from it; `closed` ends the connection. */
export interface SeatOutput {
  readonly seat: Seat
  readonly client: ReadonlyArray<ServerMessage>
  readonly bus: ReadonlyArray<BusMessage>
  readonly closed: boolean
}

/** A seat that has not been heard of for so long is empty: three missed signs of life. */
export const SILENCE_MS = 25_000
/** How often a seat says that it is taken. */
export const SIGN_OF_LIFE_MS = 8_000

export const takeSeat = (room: string, self: Member): Seat => ({ room, self, others: new Map(), told: "" })

const answer = (seat: Seat, output: Partial<Omit<SeatOutput, "seat">> = {}): SeatOutput => ({
  client: [],
  bus: [],
  closed: false,
  ...output,
  seat
})

const here = (seat: Seat, reply: boolean): BusMessage => ({ kind: "here", room: seat.room, from: seat.self, reply })

/** A patient hears of doctors alone, never of another patient. */
const mayKnow = (seat: Seat, other: Member) => seat.self.role === "doctor" || other.role === "doctor"

/** A doctor talks to the patients that this doctor admitted, a patient to the doctor who did. */
const mayTalk = (self: Member, other: Member) =>
  self.role === "doctor" ? other.admitted_by === self.id : self.admitted_by === other.id

const standing = (seat: Seat): ServerMessage => {
  const others = [...seat.others.values()].map(({ member }) => member)
  const doctor = others.find((member) => member.role === "doctor")
  const patients = others.filter((member) => member.role === "patient")
  const earlier = (member: Member) =>
    member.since < seat.self.since || (member.since === seat.self.since && member.id < seat.self.id)
  return {
    type: "standing",
    before: patients.filter((member) => member.admitted_by === null && earlier(member)).length,
    doctor:
      doctor === undefined ? "absent" : patients.some((member) => member.admitted_by !== null) ? "busy" : "present",
    doctor_name: doctor?.name ?? ""
  }
}

/** Tells a waiting patient where they stand, when that has changed. */
const withStanding = (output: SeatOutput): SeatOutput => {
  const { seat } = output
  if (seat.self.role !== "patient" || seat.self.admitted_by !== null) return output
  const message = standing(seat)
  const told = JSON.stringify(message)
  return told === seat.told ? output : { ...output, seat: { ...seat, told }, client: [...output.client, message] }
}

const withOther = (seat: Seat, member: Member, heard: number): Seat => ({
  ...seat,
  others: new Map(seat.others).set(member.id, { member, heard })
})

const without = (seat: Seat, id: string, left: boolean): SeatOutput => {
  const known = seat.others.get(id)
  if (known === undefined) return answer(seat)
  const others = new Map(seat.others)
  others.delete(id)
  const client: ReadonlyArray<ServerMessage> = mayKnow(seat, known.member) ? [{ type: "gone", member: id, left }] : []
  return answer({ ...seat, others }, { client })
}

const gone = (seat: Seat, left: boolean): BusMessage => ({
  kind: "gone",
  room: seat.room,
  from: seat.self.id,
  opened: seat.self.opened,
  left
})

const fromClient = (seat: Seat, message: ClientMessage): SeatOutput => {
  const { room, self } = seat
  switch (message.type) {
    case "ping":
      return answer(seat, { client: [{ type: "pong" }] })
    case "leave":
      return answer(seat, { bus: [gone(seat, true)], closed: true })
    case "admit":
    case "dismiss": {
      const target = seat.others.get(message.member)?.member
      if (self.role !== "doctor" || target?.role !== "patient") return answer(seat)
      return answer(seat, { bus: [{ kind: message.type, room, from: self.id, to: target.id }] })
    }
    case "signal": {
      const target = seat.others.get(message.to)?.member
      if (target === undefined || !mayTalk(self, target)) return answer(seat)
      const { to, data } = message
      return answer(seat, { bus: [{ kind: "signal", room, from: self.id, session: self.session, to, data }] })
    }
  }
}

const fromBus = (seat: Seat, message: BusMessage, now: number): SeatOutput => {
  const { self } = seat
  switch (message.kind) {
    case "here": {
      const { from } = message
      if (from.id === self.id)
        return from.opened > self.opened ? answer(seat, { client: [{ type: "replaced" }], closed: true }) : answer(seat)
      const known = seat.others.get(from.id)?.member
      if (known !== undefined && known.opened > from.opened) return answer(seat)
      return answer(withOther(seat, from, now), {
        client: mayKnow(seat, from) ? [{ type: "member", member: from }] : [],
        bus: message.reply ? [here(seat, false)] : []
      })
    }
    case "gone":
      return seat.others.get(message.from)?.member.opened === message.opened
        ? without(seat, message.from, message.left)
        : answer(seat)
    case "admit": {
      if (message.to !== self.id || self.role !== "patient") return answer(seat)
      const admitted = { ...seat, self: { ...self, admitted_by: message.from }, told: "" }
      return answer(admitted, { client: [{ type: "admitted", by: message.from }], bus: [here(admitted, false)] })
    }
    case "dismiss":
      return message.to === self.id && self.admitted_by === message.from
        ? answer(seat, { client: [{ type: "dismissed" }], bus: [gone(seat, true)], closed: true })
        : answer(seat)
    case "signal": {
      const sender = seat.others.get(message.from)?.member
      if (message.to !== self.id || sender === undefined || !mayTalk(self, sender)) return answer(seat)
      const { from, session, data } = message
      return answer(seat, { client: [{ type: "signal", from, session, data }] })
    }
  }
}

const tick = (seat: Seat, now: number): SeatOutput => {
  const silent = [...seat.others.values()].filter(({ heard }) => now - heard > SILENCE_MS)
  const emptied = silent.reduce<SeatOutput>((output, { member }) => {
    const next = without(output.seat, member.id, false)
    return { ...next, client: [...output.client, ...next.client] }
  }, answer(seat))
  return { ...emptied, bus: [here(emptied.seat, false)] }
}

/** The seat after one input, and what it says to whom. Whatever is not allowed is passed over in silence. */
export const step = (seat: Seat, input: SeatInput): SeatOutput => {
  switch (input.kind) {
    case "enter":
      return withStanding(answer(seat, { bus: [here(seat, true)] }))
    case "client":
      return fromClient(seat, input.message)
    case "bus":
      return withStanding(fromBus(seat, input.message, input.now))
    case "tick":
      return withStanding(tick(seat, input.now))
    case "lost":
      return answer(seat, { bus: [gone(seat, false)], closed: true })
  }
}
