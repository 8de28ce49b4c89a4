import type { Member, ServerMessage } from "../../../../schemas/meetings/Signal.ts"
import { OwnMedia } from "./ownMedia.ts"
import { PartnerCall } from "./PartnerCall.ts"
import { newSession, Signalling } from "./Signalling.ts"
import type { Phase, Setting } from "./setting.ts"
import { whenStuck } from "./whenStuck.ts"

/** Everything that the meeting page knows; the views only read it and call its verbs. */
export class Conversation {
  phase: Phase = "lobby"
  link: "connecting" | "online" | "offline" = "connecting"
  standing: Extract<ServerMessage, { type: "standing" }> | null = null
  readonly patients = new Map<string, Member>()
  readonly doctors = new Map<string, Member>()
  /** whom this person talks to; stays while they are away */
  partner: Member | null = null
  partnerAway = false
  readonly own: OwnMedia
  readonly call: PartnerCall
  private self: Member | null = null
  /** the doctor who let this patient in, who may yet have to be heard of */
  private admittedBy: string | null = null
  private wire: Signalling | null = null

  constructor(
    readonly setting: Setting,
    private readonly changed: () => void
  ) {
    this.own = new OwnMedia(() => {
      void this.call.showOwn()
      changed()
    })
    this.call = new PartnerCall({
      polite: setting.role === "patient",
      own: this.own,
      send: (data) => {
        if (this.partner !== null) this.wire?.send({ type: "signal", to: this.partner.id, data })
      },
      changed
    })
    addEventListener("pagehide", () => this.wire?.close())
    whenStuck(this.howItGoes.bind(this), this.comeAnew.bind(this))
  }

  /** Enters the room, or comes back into it. */
  enter() {
    this.phase = "inside"
    const { address, token, room } = this.setting
    const session = newSession()
    this.wire = new Signalling(() => address(sessionStorage.getItem(room) ?? token, session), {
      message: (message) => this.hear(message),
      link: (link) => {
        this.link = link
        this.changed()
      },
      refused: () => this.refused()
    })
    this.changed()
  }

  /** Goes out of the room. Whoever was in conversation may come back and is let in again. */
  leave() {
    this.wire?.send({ type: "leave" })
    this.out("left")
  }

  /** The doctor asks a patient in; whoever was in before is sent off. */
  admit(member: string) {
    if (this.partner !== null && this.partner.id !== member) this.end()
    this.partner = this.patients.get(member) ?? null
    this.partnerAway = false
    this.wire?.send({ type: "admit", member })
    this.changed()
  }

  /** The doctor ends the conversation for the patient. */
  end() {
    const { partner } = this
    if (partner === null) return
    this.wire?.send({ type: "dismiss", member: partner.id })
    this.patients.delete(partner.id)
    this.call.hangUp()
    this.partner = null
    this.changed()
  }

  /** Stuck: both are here, the wire holds, and no picture comes, since a signal got lost. One side alone sees to that. */
  private howItGoes() {
    const { partner, partnerAway, call, link } = this
    if (call.state === "connected") return "well"
    const here = this.phase === "inside" && link === "online" && partner !== null && !partnerAway
    return here && this.setting.role === "doctor" && call.running ? "stuck" : "unclear"
  }

  /** As after a reload of the page: the other side hears of a new stay, and both start the call afresh. */
  private comeAnew() {
    this.call.hangUp()
    this.wire?.close()
    this.enter()
  }

  private out(phase: Phase) {
    this.phase = phase
    this.wire?.close()
    this.wire = null
    this.call.hangUp()
    this.partner = null
    this.admittedBy = null
    this.standing = null
    this.patients.clear()
    this.doctors.clear()
    this.own.stop()
    this.changed()
  }

  /** A kept token may have run out while the one in the address is fresh: it gets its turn. */
  private refused() {
    const kept = sessionStorage.getItem(this.setting.room)
    sessionStorage.removeItem(this.setting.room)
    if (kept !== null && kept !== this.setting.token) this.enter()
    else this.out("refused")
  }

  private hear(message: ServerMessage) {
    switch (message.type) {
      case "welcome":
        this.self = message.self
        this.call.iceServers = message.ice_servers
        sessionStorage.setItem(this.setting.room, message.resume)
        break
      case "standing":
        this.standing = message
        break
      case "member":
        this.meet(message.member)
        break
      case "gone":
        this.miss(message.member, message.left)
        break
      case "admitted":
        this.standing = null
        this.admittedBy = message.by
        this.follow(this.doctors.get(message.by))
        break
      case "dismissed":
      case "replaced":
        this.out(message.type)
        break
      case "signal":
        this.listen(message)
        break
    }
    this.changed()
  }

  /** A patient who has been admitted again to a call that never broke goes on with it. */
  private follow(doctor: Member | undefined) {
    if (doctor === undefined) return
    const same = this.partner?.session === doctor.session && this.call.running
    this.partner = doctor
    this.partnerAway = false
    if (same) this.call.nudge()
    else this.call.start()
  }

  private meet(member: Member) {
    const people = member.role === "patient" ? this.patients : this.doctors
    people.set(member.id, member)
    const mine = member.role === "patient" && member.admitted_by === this.self?.id
    if (mine && this.partner === null) this.partner = member
    if (this.partner === null && member.id === this.admittedBy) return this.follow(member)
    if (this.partner?.id !== member.id) return
    // another page has taken the place of the one that this call was with
    if (this.partner.session !== member.session) this.call.hangUp()
    this.partner = member
    this.partnerAway = false
    if (member.role === "patient" && !mine) return this.wire?.send({ type: "admit", member: member.id })
    if (!this.call.running) this.call.start()
    else if (this.call.state !== "connected") this.call.nudge()
  }

  /** Who left has hung up; who was merely cut off may still be seen and heard. */
  private miss(id: string, left: boolean) {
    this.patients.delete(id)
    this.doctors.delete(id)
    if (this.partner?.id !== id) return
    this.partnerAway = true
    if (left) this.call.hangUp()
  }

  private listen({ from, session, data }: Extract<ServerMessage, { type: "signal" }>) {
    if (this.partner === null || this.partner.id !== from) return
    if (this.partner.session !== session) this.partner = { ...this.partner, session }
    else if (this.call.running) return this.call.receive(data)
    this.call.start()
    this.call.receive(data)
  }
}
