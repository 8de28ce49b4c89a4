import type { Member, ServerMessage } from "../../../schemas/meetings/Signal.ts"
import { connectionWatchdog } from "./connectionWatchdog.ts"
import { OwnMedia } from "./ownMedia.ts"
import { PartnerCall } from "./PartnerCall.ts"
import { newSession, Signalling } from "./Signalling.ts"
import type { Phase, Setting } from "./setting.ts"

/** The state of the meeting page and its actions. Views read the state and call the actions. */
export class Conversation {
  phase: Phase = "lobby"
  link: "connecting" | "online" | "offline" = "connecting"
  standing: Extract<ServerMessage, { type: "standing" }> | null = null
  readonly patients = new Map<string, Member>()
  readonly doctors = new Map<string, Member>()
  /** patients who announced a late arrival, with their minutes; for doctors */
  readonly late = new Map<string, { readonly name: string; readonly minutes: number }>()
  /** the other participant of the call; kept while disconnected */
  partner: Member | null = null
  partnerAway = false
  readonly own: OwnMedia
  readonly call: PartnerCall
  /** the partner's video fills the stage and may be cropped, instead of being shown completely */
  filled = false
  /** the doctor has pressed "step out" and is asked to confirm */
  steppingOut = false
  /** the name that a patient of a group has chosen; empty: the number that the service gave them */
  chosenName = ""
  /** duration of the own appointment in minutes, for the estimated wait */
  minutes = 0
  private self: Member | null = null
  /** the doctor who admitted this patient; their `member` message may not have arrived yet */
  private admittedBy: string | null = null
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
      void this.call.sendOwnTracks()
      changed()
    })
    this.call = new PartnerCall({
      polite: setting.role === "patient",
      own: this.own,
      send: (data) => {
        if (this.partner !== null) this.signalling?.send({ type: "signal", to: this.partner.id, data })
      },
      changed
    })
    addEventListener("pagehide", () => this.signalling?.close())
    connectionWatchdog(this.health.bind(this), this.reconnect.bind(this))
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

  toggleFilled() {
    this.filled = !this.filled
    this.changed()
  }

  askSteppingOut(asked: boolean) {
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
      if (this.setting.group) this.call.hangUp()
      else this.end()
    }
    this.partner = this.patients.get(member) ?? null
    this.partnerAway = false
    this.signalling?.send({ type: "admit", member })
    this.changed()
  }

  /** Ends the call for the patient. */
  end() {
    const { partner } = this
    if (partner === null) return
    this.signalling?.send({ type: "dismiss", member: partner.id })
    this.patients.delete(partner.id)
    this.call.hangUp()
    this.partner = null
    this.changed()
  }

  /** Stalled: both are connected to the service but not to each other, because a signal was lost. The doctor's side recovers. */
  private health() {
    const { partner, partnerAway, call, link } = this
    if (call.state === "connected") return "healthy"
    const here = this.phase === "inside" && link === "online" && partner !== null && !partnerAway
    return here && this.setting.role === "doctor" && call.running ? "stalled" : "unknown"
  }

  /** Like a reload of the page: a new session, with which the other side starts the call again. */
  private reconnect() {
    this.call.hangUp()
    this.signalling?.close()
    this.open(this.token)
  }

  private exit(phase: Phase) {
    this.phase = phase
    this.steppingOut = false
    this.signalling?.close()
    this.signalling = null
    this.call.hangUp()
    this.partner = null
    this.admittedBy = null
    this.standing = null
    this.patients.clear()
    this.doctors.clear()
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
        this.call.iceServers = message.ice_servers
        sessionStorage.setItem(this.setting.room, message.resume)
        if (this.chosenName !== "") this.signalling?.send({ type: "rename", name: this.chosenName })
        break
      case "standing":
        this.standing = message
        break
      case "member":
        this.onMember(message.member)
        break
      case "late":
        this.late.set(message.member, message)
        break
      case "gone":
        this.onGone(message.member, message.left)
        break
      case "admitted":
        this.standing = null
        this.admittedBy = message.by
        this.call.iceServers = message.ice_servers
        this.onAdmitted(this.doctors.get(message.by))
        this.called()
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

  /** A patient who is admitted again during the call continues it. */
  private onAdmitted(doctor: Member | undefined) {
    if (doctor === undefined) return
    const same = this.partner?.session === doctor.session && this.call.running
    this.partner = doctor
    this.partnerAway = false
    if (same) this.call.recover()
    else this.call.start()
  }

  private onMember(member: Member) {
    const members = member.role === "patient" ? this.patients : this.doctors
    members.set(member.id, member)
    const ownPatient = member.role === "patient" && member.admitted_by === this.self?.id
    if (ownPatient && this.partner === null && !this.setting.group) this.partner = member
    if (this.partner === null && member.id === this.admittedBy) return this.onAdmitted(member)
    if (this.partner?.id !== member.id) return
    // the partner has reloaded the page
    if (this.partner.session !== member.session) this.call.hangUp()
    this.partner = member
    this.partnerAway = false
    if (member.role === "patient" && !ownPatient) return this.signalling?.send({ type: "admit", member: member.id })
    if (!this.call.running) this.call.start()
    else if (this.call.state !== "connected") this.call.recover()
  }

  /** Leaving ends the call; losing the connection to the service does not, since media flow directly. */
  private onGone(id: string, left: boolean) {
    this.patients.delete(id)
    this.doctors.delete(id)
    if (this.partner?.id !== id) return
    this.partnerAway = true
    if (left) this.call.hangUp()
  }

  private onSignal({ from, session, data }: Extract<ServerMessage, { type: "signal" }>) {
    if (this.partner === null || this.partner.id !== from) return
    if (this.partner.session !== session) this.partner = { ...this.partner, session }
    else if (this.call.running) return this.call.receive(data)
    this.call.start()
    this.call.receive(data)
  }
}
