import type { IceServer, SignalData } from "../../schemas/Signal.ts"
import { edited, editsBetween } from "./liveText.ts"
import type { OwnMedia } from "./ownMedia.ts"
import { PeerCall } from "./PeerCall.ts"
import { CallWatch, type Quality } from "./quality.ts"

interface PartnerCallOptions {
  readonly polite: boolean
  /** the relays at the start of a connection */
  readonly iceServers: () => ReadonlyArray<IceServer>
  readonly own: OwnMedia
  readonly send: (data: SignalData) => void
  /** the number of people to whom the own picture goes */
  readonly people: () => number
  /** the own text so far */
  readonly typed: () => string
  readonly changed: () => void
}

/** Bits a second of the picture to each of so many people, and by how much it is made smaller. */
const LIMITS = [
  [1_500_000, 1],
  [700_000, 1.5],
  [400_000, 2]
] as const

/** Audio and video with one partner; a new peer connection for every page that the partner opens. */
export class PartnerCall {
  state: "connecting" | "connected" | "interrupted" = "connecting"
  quality: Quality = "good"
  /** own video is not sent, to keep the audio on a weak connection */
  audioOnly = false
  /** nor is the own sound: text goes on */
  textOnly = false
  /** what they have typed */
  text = ""
  /** to compare with the other side: nobody is in between if it is the same */
  code: string | undefined
  /** what the partner has turned on */
  media = { audio: true, video: true }
  remote: MediaStream | null = null
  private peer: PeerCall | null = null
  private watching: ReturnType<typeof setInterval> | undefined

  constructor(private readonly options: PartnerCallOptions) {}

  get running() {
    return this.peer !== null
  }

  start() {
    this.hangUp()
    const { polite, iceServers, send, changed } = this.options
    this.peer = new PeerCall({
      polite,
      iceServers: iceServers(),
      send,
      state: (state) => {
        this.state = state
        if (state === "connected") {
          this.sendMediaState()
          void this.limit()
          void this.peer?.code.then((code) => {
            this.code = code
            changed()
          })
        }
        changed()
      },
      textOpen: () => this.edit("", this.options.typed()),
      text: (message) => {
        this.text = edited(this.text, message)
        changed()
      },
      stream: (stream) => {
        this.remote = stream
        changed()
      }
    })
    void this.sendOwnTracks()
    if (!polite) this.peer.expectTracks()
    this.watch(this.peer)
  }

  hangUp() {
    clearInterval(this.watching)
    this.quality = "good"
    this.audioOnly = false
    this.textOnly = false
    this.text = ""
    this.code = undefined
    this.peer?.close()
    this.peer = null
    this.remote = null
    this.state = "connecting"
    this.media = { audio: true, video: true }
  }

  /** Sends an edit of the own text. */
  edit(before: string, now: string) {
    for (const message of editsBetween(before, now)) this.peer?.sendText(message)
  }

  /** Sends less the more people there are. */
  async limit() {
    const [bits, smaller] = LIMITS[Math.min(this.options.people(), LIMITS.length) - 1] ?? LIMITS[0]
    await this.peer?.limitVideo(bits, smaller)
  }

  /** Sends all again, or less: no picture to keep the sound, then no sound either. */
  send(what: "all" | "audio" | "text") {
    this.audioOnly = what !== "all"
    this.textOnly = what === "text"
    void this.sendOwnTracks()
    this.options.changed()
  }

  /** Once a second: a disconnection is detected after two seconds, long before the browser reports it. */
  private watch(peer: PeerCall) {
    const watch = new CallWatch()
    this.watching = setInterval(async () => {
      if (this.state === "connecting") return
      const sample = await peer.sample()
      if (peer !== this.peer) return
      const { cut, weak } = watch.next(sample, this.media.audio || this.media.video)
      const state = cut ? "interrupted" : peer.isConnected ? "connected" : this.state
      if (state === this.state && watch.quality === this.quality && !(weak && !this.textOnly)) return
      this.state = state
      this.quality = watch.quality
      if (weak && !this.textOnly) this.send(this.audioOnly ? "text" : "audio")
      this.options.changed()
    }, 1000)
  }

  /** The partner is reachable again: repeats signals that may have been lost. */
  recover() {
    this.peer?.recover()
    this.sendMediaState()
  }

  receive(data: SignalData) {
    if (data.media === undefined) return this.peer?.receive(data)
    // sent by a side that starts
    this.media = data.media
    this.peer?.repeatOffer()
  }

  /** Sends the current tracks of the own camera and microphone. */
  async sendOwnTracks() {
    const { peer } = this
    if (peer === null) return
    await peer.sendTrack("audio", this.textOnly ? null : this.options.own.tracks.audio)
    const { screen, tracks } = this.options.own
    await peer.sendTrack("video", this.audioOnly ? null : (screen ?? tracks.video))
    await this.limit()
    this.sendMediaState()
  }

  private sendMediaState() {
    const { own, send } = this.options
    const audio = !this.textOnly && own.isOn("audio")
    const video = !this.audioOnly && (own.screen !== null || own.isOn("video"))
    send({ media: { audio, video } })
  }
}
