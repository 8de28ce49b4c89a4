import type { IceServer, Member, ServerMessage } from "../../schemas/Signal.ts"
import { connectionWatchdog } from "./connectionWatchdog.ts"
import { OwnMedia } from "./ownMedia.ts"
import { PartnerCall } from "./PartnerCall.ts"
import { newSession, Signalling } from "./Signalling.ts"
import type { Phase, Setting } from "./setting.ts"

/** Another participant of the call. */
export interface Partner {
  member: Member
  /** not connected to the service; media may still flow */
  away: boolean
  /** when they were last connected to the service, in milliseconds of this page */
  seen: number
  readonly call: PartnerCall
}

/** How long a guest who lost the connection comes back without being admitted again. */
const RETURN_MS = 120_000

/** Of two browsers the one of the lower rank makes the first offer. */
const RANK = { doctor: 0, patient: 1, guest: 2 } as const

/** The state of the meeting page and its actions. Views read the state and call the actions. */
export class Conversation {
  phase: Phase = "lobby"
  link: "connecting" | "online" | "offline" = "connecting"
  standing: Extract<ServerMessage, { type: "standing" }> | null = null
  readonly patients = new Map<string, Member>()
  readonly doctors = new Map<string, Member>()
  readonly guests = new Map<string, Member>()
  /** what a waiting guest waits for */
  pending: Extract<ServerMessage, { type: "pending" }> | null = null
  /** patients who announced a late arrival, with their minutes; for doctors */
  readonly late = new Map<string, { readonly name: string; readonly minutes: number }>()
  /** the others in the call, by id; kept while disconnected. A doctor's first is the patient. */
  readonly partners = new Map<string, Partner>()
  readonly own: OwnMedia
  /** a partner's video fills the stage and may be cropped, instead of being shown completely */
  filled = false
  /** the doctor has pressed "step out" and is asked to confirm */
  steppingOut = false
  /** whether the fields for writing are shown, and the security codes */
  writing = false
  comparing = false
  /** what this side has typed, which is kept nowhere else */
  typed = ""
  /** the name that a patient of a group has chosen; empty: the number that the service gave them */
  chosenName = ""
  /** duration of the own appointment in minutes, for the estimated wait */
  minutes = 0
  private self: Member | null = null
  /** the doctors who admitted this patient; their `member` messages may not have arrived yet */
  private readonly admittedBy = new Set<string>()
  private iceServers: ReadonlyArray<IceServer> = []
  private signalling: Signalling | null = null
  private entering = false
  /** The token of the last entrance. */
  private token = ""

  constructor(
    readonly setting: Setting,
    private readonly changed: () => void,
    private readonly called: () => void = () => {}
  ) {
    this.own = new OwnMedia(() => {
      for (const { call } of this.partners.values()) void call.sendOwnTracks()
      changed()
    })
    addEventListener("pagehide", () => this.signalling?.close())
    connectionWatchdog(this.health.bind(this), this.reconnect.bind(this))
  }

  /** The first participant of the call: for a doctor the patient. */
  get partner() {
    return this.partners.values().next().value?.member ?? null
  }

  /** The partners whose videos are shown: not a doctor who left while others are in the call. */
  get shown(): ReadonlyArray<Partner> {
    const all = [...this.partners.values()]
    const present = all.filter(
      ({ member, away, call }) => member.role === "patient" || !away || call.state === "connected"
    )
    return present.length === 0 ? all.slice(0, 1) : present
  }

  /**
   * Enters the room: with the resume token of this tab, which keeps the place in the waiting room, else with a fresh token where one is
   * offered, since the page's may have ended.
   */
  async enter() {
    const { renew, room } = this.setting
    if (renew === null || sessionStorage.getItem(room) !== null) return this.open(this.setting.token)
    if (this.entering) return
    this.entering = true
    const renewed = await renew()
    this.entering = false
    if ("ending" in renewed) return this.exit(renewed.ending)
    this.open(renewed.token)
  }

  private open(token: string) {
    this.phase = "inside"
    this.token = token
    const { address, room } = this.setting
    const session = newSession()
    this.signalling = new Signalling(() => address(sessionStorage.getItem(room) ?? token, session), {
      message: (message) => this.receive(message),
      link: (link) => {
        this.link = link
        this.changed()
      },
      refused: () => void this.refused()
    })
    this.changed()
  }

  toggle(what: "filled" | "writing") {
    this[what] = !this[what]
    this.changed()
  }

  /** Sends picture and sound again to those who got less. */
  sendAllAgain() {
    for (const { call } of this.partners.values()) if (call.audioOnly) call.send("all")
  }

  compare(comparing: boolean) {
    this.comparing = comparing
    this.changed()
  }

  /** Sends the edit of the own text to everybody in the call. */
  type(text: string) {
    for (const { call } of this.partners.values()) call.edit(this.typed, text)
    this.typed = text
    this.changed()
  }

  /** Guests who wait for this side: for the doctor's admission, or for the patient's agreement. */
  get asking(): ReadonlyArray<Member> {
    const { role } = this.setting
    return [...this.guests.values()].filter(({ agreed, admitted_by }) =>
      role === "doctor" ? admitted_by.length === 0 : role === "patient" && agreed !== true
    )
  }

  /** The doctor admits a patient or guest, or removes them; the patient agrees to a guest, or refuses them. */
  tell(type: "admit" | "dismiss" | "agree" | "refuse", member: string) {
    this.signalling?.send({ type, member })
  }

  /** With another doctor in the call the patient does not wait, and there is nothing to ask. */
  askSteppingOut(asked: boolean) {
    if (asked && this.shown.length > 1) return this.leave()
    this.steppingOut = asked
    this.changed()
  }

  /** Leaves the room. An admitted patient is admitted again on return. */
  leave() {
    this.signalling?.send({ type: "leave" })
    this.exit("left")
  }

  /**
   * Admits a patient; the call with the previous one ends. In a group the previous one stays admitted: the doctor talks with one after
   * the other, as often as needed.
   */
  admit(member: string) {
    if (this.partner !== null && this.partner.id !== member) {
      if (this.setting.group) this.release()
      else this.end()
    }
    const patient = this.patients.get(member)
    if (patient !== undefined) this.join(patient)
    this.tell("admit", member)
    this.changed()
  }

  /** Ends the call for the patient, and with it for all. */
  end() {
    const { partner } = this
    if (partner === null) return
    this.tell("dismiss", partner.id)
    this.patients.delete(partner.id)
    this.release()
    this.changed()
  }

  /** Ends the own connections of the call. */
  private release() {
    for (const { call } of this.partners.values()) call.hangUp()
    this.partners.clear()
    this.typed = ""
    this.writing = false
    this.comparing = false
  }

  /** Ends the connection with one of several. */
  private drop(id: string) {
    this.partners.get(id)?.call.hangUp()
    this.partners.delete(id)
    this.limit()
  }

  private limit() {
    for (const { call } of this.partners.values()) void call.limit()
  }

  /** The member's place in the call, a new one where they have none. */
  private join(member: Member): Partner {
    const known = this.partners.get(member.id)
    if (known !== undefined) {
      known.member = member
      known.away = false
      known.seen = performance.now()
      return known
    }
    const { self } = this
    const before = RANK[member.role] - RANK[this.setting.role]
    const call = new PartnerCall({
      // of two doctors or guests the one with the smaller uid makes the first offer
      polite: before < 0 || (before === 0 && self !== null && self.id > member.id),
      own: this.own,
      people: () => this.partners.size,
      typed: () => this.typed,
      iceServers: () => this.iceServers,
      send: (data) => this.signalling?.send({ type: "signal", to: member.id, data }),
      changed: this.changed
    })
    const partner: Partner = { member, away: false, seen: performance.now(), call }
    this.partners.set(member.id, partner)
    this.limit()
    return partner
  }

  /**
   * Stalled: they are connected to the service but not to each other, because a signal was lost. The doctor's side recovers, unless another
   * connection of the call works, which it would end.
   */
  private health() {
    const partners = [...this.partners.values()]
    if (partners.some(({ call }) => call.state === "connected")) return "healthy"
    const here = this.phase === "inside" && this.link === "online" && this.setting.role === "doctor"
    return here && partners.some(({ away, call }) => !away && call.running) ? "stalled" : "unknown"
  }

  /** Like a reload of the page: a new session, with which the other side starts the call again. */
  private reconnect() {
    for (const { call } of this.partners.values()) call.hangUp()
    this.signalling?.close()
    this.open(this.token)
  }

  private exit(phase: Phase) {
    this.phase = phase
    this.steppingOut = false
    this.signalling?.close()
    this.signalling = null
    this.release()
    this.admittedBy.clear()
    this.standing = null
    this.pending = null
    this.patients.clear()
    this.doctors.clear()
    this.guests.clear()
    this.late.clear()
    this.own.stop()
    this.changed()
  }

  /** If the stored resume token is rejected, a fresh one or the page's is used; if that is, the page says what happened. */
  private async refused() {
    const kept = sessionStorage.getItem(this.setting.room)
    sessionStorage.removeItem(this.setting.room)
    if (kept !== null && kept !== this.token) return this.enter()
    const renewed = await this.setting.renew?.()
    this.exit(renewed !== undefined && "ending" in renewed ? renewed.ending : "refused")
  }

  private receive(message: ServerMessage) {
    switch (message.type) {
      case "welcome":
        this.self = message.self
        this.minutes = message.minutes
        this.iceServers = message.ice_servers
        sessionStorage.setItem(this.setting.room, message.resume)
        if (this.chosenName !== "") this.signalling?.send({ type: "rename", name: this.chosenName })
        break
      case "standing":
        this.standing = message
        break
      case "pending":
        this.pending = message
        break
      case "member":
        if (message.member.role === "guest" || (message.member.role === "patient" && this.setting.role === "guest"))
          this.onGuest(message.member, message.same_appointment)
        else this.onMember(message.member, message.same_appointment)
        this.joinOthers()
        break
      case "late":
        this.late.set(message.member, message)
        break
      case "gone":
        this.onGone(message.member, message.left)
        break
      case "admitted":
        this.onAdmission(message)
        break
      case "ended":
        if (this.guests.has(message.member)) this.drop(message.member)
        else if (this.partners.has(message.member)) this.release()
        break
      case "dismissed":
        // no token from before lets the patient in again
        sessionStorage.removeItem(this.setting.room)
        this.exit(message.type)
        break
      case "replaced":
        this.exit(message.type)
        break
      case "signal":
        this.onSignal(message)
        break
    }
    this.changed()
  }

  private onAdmission({ by, ice_servers }: Extract<ServerMessage, { type: "admitted" }>) {
    const joins = this.partners.size > 0 && !this.partners.has(by)
    // a patient of a group talks with one doctor at a time
    if (this.setting.group && joins) this.release()
    if (this.setting.group) this.admittedBy.clear()
    this.standing = null
    this.pending = null
    this.admittedBy.add(by)
    this.iceServers = ice_servers
    this.onDoctor(this.doctors.get(by))
    this.joinOthers()
    if (!joins || this.setting.group) this.called()
  }

  /** A doctor joins the call. A patient who is admitted again during the call continues it. */
  private onDoctor(doctor: Member | undefined) {
    if (doctor === undefined) return
    const same = this.partners.get(doctor.id)?.member.session === doctor.session
    const { call } = this.join(doctor)
    if (same && call.running) call.recover()
    else call.start()
  }

  /** Whether a doctor is in the call: one who admitted this patient, or, with this doctor, the patient of the call. */
  private isInCall({ id }: Member) {
    const admittedBy = this.partner?.admitted_by ?? []
    return this.admittedBy.has(id) || (this.isOwn(this.partner) && admittedBy.includes(id))
  }

  /** Whether this doctor admitted the patient. */
  private isOwn(member: Pick<Member, "admitted_by"> | null) {
    return member?.admitted_by.includes(this.self?.id ?? "") === true
  }

  /** Whether the member is in this call, as a guest with doctors, patient and guests, or as the patient with guests. */
  private isBeside({ role, agreed, admitted_by }: Member) {
    if (role === "doctor" || (role === "guest" && agreed !== true)) return false
    if (this.setting.role === "doctor")
      return role === "guest" && this.isOwn(this.partner) && this.isOwn({ admitted_by })
    return (
      (role === "guest" || this.setting.role === "guest") && admitted_by.some((doctor) => this.admittedBy.has(doctor))
    )
  }

  /** Connects with everybody who is in the call by now. */
  private joinOthers() {
    for (const member of [...this.patients.values(), ...this.guests.values()])
      if (!this.partners.has(member.id) && this.isBeside(member)) this.join(member).call.start()
  }

  /** A guest, or for a guest the patient. */
  private onGuest(member: Member, sameAppointment: boolean) {
    const members = member.role === "guest" ? this.guests : this.patients
    members.set(member.id, member)
    const partner = this.partners.get(member.id)
    if (partner === undefined) {
      // a doctor who has joined a call with guests
      const { role } = this.setting
      if (role === "doctor" && sameAppointment && this.isOwn(this.partner) && member.admitted_by.length > 0)
        if (!this.isOwn(member)) this.tell("admit", member.id)
      return
    }
    if (partner.member.session !== member.session) partner.call.hangUp()
    if (this.isBeside(member)) {
      this.join(member)
      if (!partner.call.running) partner.call.start()
      else if (partner.call.state !== "connected") partner.call.recover()
      return
    }
    if (member.role === "patient") return
    // back after a lost connection: what was said before counts, for a while
    const isBack = performance.now() - partner.seen < RETURN_MS
    if (!isBack) return this.drop(member.id)
    if (this.setting.role === "doctor" && !this.isOwn(member)) this.tell("admit", member.id)
    if (this.setting.role === "patient" && member.agreed !== true) this.tell("agree", member.id)
  }

  private onMember(member: Member, sameAppointment: boolean) {
    const members = member.role === "patient" ? this.patients : this.doctors
    members.set(member.id, member)
    const { group } = this.setting
    if (member.role === "patient" && this.partner === null && !group) {
      if (this.isOwn(member)) this.join(member)
      // a doctor of the same appointment who is free joins the call that another has begun
      else if (sameAppointment && member.admitted_by.length > 0) return this.tell("admit", member.id)
    }
    const partner = this.partners.get(member.id)
    if (partner === undefined) return this.isInCall(member) ? this.onDoctor(member) : undefined
    const wasOwn = this.isOwn(partner.member)
    // the partner has reloaded the page
    if (partner.member.session !== member.session) partner.call.hangUp()
    this.join(member)
    if (member.role === "patient" && !this.isOwn(member)) {
      const taken = group && wasOwn && member.admitted_by.length > 0
      return taken ? this.release() : this.tell("admit", member.id)
    }
    if (!partner.call.running) partner.call.start()
    else if (partner.call.state !== "connected") partner.call.recover()
    for (const doctor of this.doctors.values())
      if (!this.partners.has(doctor.id) && this.isInCall(doctor)) this.onDoctor(doctor)
  }

  /** Leaving ends the call; losing the connection to the service does not, since media flow directly. */
  private onGone(id: string, left: boolean) {
    this.patients.delete(id)
    this.doctors.delete(id)
    const partner = this.partners.get(id)
    const isGuest = this.guests.delete(id)
    if (partner === undefined) return
    if (isGuest && left) return this.drop(id)
    partner.away = true
    partner.seen = performance.now()
    if (left) partner.call.hangUp()
  }

  private onSignal({ from, session, data }: Extract<ServerMessage, { type: "signal" }>) {
    const partner = this.partners.get(from)
    if (partner === undefined) return
    const { call, member } = partner
    if (member.session !== session) partner.member = { ...member, session }
    else if (call.running) return call.receive(data)
    call.start()
    call.receive(data)
  }
}
