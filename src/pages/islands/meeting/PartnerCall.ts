import type { IceServer, SignalData } from "../../../schemas/meetings/Signal.ts"
import type { OwnMedia } from "./ownMedia.ts"
import { PeerCall } from "./PeerCall.ts"

interface PartnerCallOptions {
  readonly polite: boolean
  readonly own: OwnMedia
  readonly send: (data: SignalData) => void
  readonly changed: () => void
}

/** Sound and picture with the partner; a new peer connection for every page that the partner opens. */
export class PartnerCall {
  state: "connecting" | "connected" | "interrupted" = "connecting"
  /** what the partner has switched on */
  media = { audio: true, video: true }
  remote: MediaStream | null = null
  iceServers: ReadonlyArray<IceServer> = []
  private peer: PeerCall | null = null

  constructor(private readonly options: PartnerCallOptions) {}

  get running() {
    return this.peer !== null
  }

  start() {
    this.hangUp()
    const { polite, send, changed } = this.options
    this.peer = new PeerCall({
      polite,
      iceServers: this.iceServers,
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
  }

  hangUp() {
    this.peer?.close()
    this.peer = null
    this.remote = null
    this.state = "connecting"
    this.media = { audio: true, video: true }
  }

  /** The partner is reachable again: repeats what may have been lost. */
  recover() {
    this.peer?.recover()
    this.sendMediaState()
  }

  receive(data: SignalData) {
    if (data.media !== undefined) this.media = data.media
    else this.peer?.receive(data)
  }

  /** Sends the present tracks of the own camera and microphone. */
  async sendOwnTracks() {
    const { peer } = this
    if (peer === null) return
    await peer.sendTrack("audio", this.options.own.tracks.audio)
    await peer.sendTrack("video", this.options.own.tracks.video)
    this.sendMediaState()
  }

  private sendMediaState() {
    const { tracks, wanted } = this.options.own
    this.options.send({
      media: { audio: wanted.audio && tracks.audio !== null, video: wanted.video && tracks.video !== null }
    })
  }
}
