import type { IceServer, SignalData } from "../../schemas/Signal.ts"
import type { OwnMedia } from "./ownMedia.ts"
import { PeerCall } from "./PeerCall.ts"
import { CallWatch, type Quality } from "./quality.ts"

interface PartnerCallOptions {
  readonly polite: boolean
  /** the relays at the start of a connection */
  readonly iceServers: () => ReadonlyArray<IceServer>
  readonly own: OwnMedia
  readonly send: (data: SignalData) => void
  readonly changed: () => void
}

/** Audio and video with one partner; a new peer connection for every page that the partner opens. */
export class PartnerCall {
  state: "connecting" | "connected" | "interrupted" = "connecting"
  quality: Quality = "good"
  /** own video is not sent, to keep the audio on a weak connection */
  audioOnly = false
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
        if (state === "connected") this.sendMediaState()
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
    this.peer?.close()
    this.peer = null
    this.remote = null
    this.state = "connecting"
    this.media = { audio: true, video: true }
  }

  /** Resumes sending video, or stops it to keep the audio. */
  setAudioOnly(audioOnly: boolean) {
    this.audioOnly = audioOnly
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
      if (state === this.state && watch.quality === this.quality && !(weak && !this.audioOnly)) return
      this.state = state
      this.quality = watch.quality
      if (weak && !this.audioOnly) this.setAudioOnly(true)
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
    await peer.sendTrack("audio", this.options.own.tracks.audio)
    const { screen, tracks } = this.options.own
    await peer.sendTrack("video", this.audioOnly ? null : (screen ?? tracks.video))
    this.sendMediaState()
  }

  private sendMediaState() {
    const { tracks, wanted, screen } = this.options.own
    this.options.send({
      media: {
        audio: wanted.audio && tracks.audio !== null,
        video: !this.audioOnly && (screen !== null || (wanted.video && tracks.video !== null))
      }
    })
  }
}
