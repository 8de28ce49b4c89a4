import type { IceServer, SignalData } from "../../schemas/Signal.ts"
import { CHANNEL } from "./liveText.ts"
import { sampleOf } from "./quality.ts"
import { securityCode } from "./securityCode.ts"

interface CallOptions {
  /**
   * the polite peer rolls back when both offer at once (W3C WebRTC, perfect negotiation), and leaves the first offer to the
   * other side; exactly one side is polite
   */
  readonly polite: boolean
  readonly iceServers: ReadonlyArray<IceServer>
  readonly send: (data: SignalData) => void
  readonly state: (state: "connecting" | "connected" | "interrupted") => void
  readonly stream: (stream: MediaStream) => void
  /** the other side can be written to */
  readonly textOpen: () => void
  readonly text: (message: string) => void
}

/**
 * Audio and video between two browsers, with the perfect negotiation pattern (W3C WebRTC §10.7): either side may
 * offer at any time, collisions are resolved, and both sides run the same code.
 */
export class PeerCall {
  private readonly peer: RTCPeerConnection
  private readonly senders = new Map<string, RTCRtpSender>()
  private readonly remote = new MediaStream()
  private readonly channel: RTCDataChannel
  private makingOffer = false
  private ignoringOffer = false
  private settingAnswer = false
  private wasConnected = false
  /** signals are processed sequentially */
  private queue: Promise<void> = Promise.resolve()

  constructor(private readonly options: CallOptions) {
    const iceServers = options.iceServers.map((server) => ({ ...server, urls: [...server.urls] }))
    this.peer = new RTCPeerConnection({ iceServers })
    this.channel = this.peer.createDataChannel(CHANNEL.label, CHANNEL.options)
    this.channel.addEventListener("open", options.textOpen)
    this.channel.addEventListener("message", ({ data }) => options.text(String(data)))
    this.peer.addEventListener("negotiationneeded", () => {
      // two first offers at once leave Chromium without candidates: it gathers none after the polite side's rollback
      if (!options.polite || this.peer.remoteDescription !== null) void this.offer()
    })
    this.peer.addEventListener("icecandidate", ({ candidate }) => {
      if (candidate === null || candidate.candidate === "") return
      const { sdpMid, sdpMLineIndex, usernameFragment } = candidate
      options.send({ candidate: { candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment } })
    })
    this.peer.addEventListener("track", ({ track }) => {
      for (const old of this.remote.getTracks()) if (old.kind === track.kind) this.remote.removeTrack(old)
      this.remote.addTrack(track)
      options.stream(this.remote)
    })
    this.peer.addEventListener("connectionstatechange", () => this.report())
  }

  /** Sends this track of its kind from now on; null sends nothing. Replacing a track needs no renegotiation. */
  async sendTrack(kind: "audio" | "video", track: MediaStreamTrack | null) {
    if (this.peer.signalingState === "closed") return
    const sender = this.senders.get(kind)
    if (sender !== undefined) return sender.replaceTrack(track)
    if (track !== null) this.senders.set(kind, this.peer.addTrack(track, new MediaStream([track])))
  }

  /** Includes audio and video in the first offer, even without a camera or microphone on this side. */
  expectTracks() {
    for (const kind of ["audio", "video"] as const)
      if (!this.senders.has(kind)) this.peer.addTransceiver(kind, { direction: "recvonly" })
  }

  /** Sends to the other side only, if it can be written to. */
  sendText(message: string) {
    if (this.channel.readyState === "open") this.channel.send(message)
  }

  /** Limits what is sent: bits a second, and by how much the picture is made smaller. */
  async limitVideo(maxBitrate: number, scaleResolutionDownBy: number) {
    const sender = this.senders.get("video")
    const parameters = sender?.getParameters()
    const [encoding] = parameters?.encodings ?? []
    if (sender === undefined || parameters === undefined || encoding === undefined) return
    if (encoding.maxBitrate === maxBitrate && encoding.scaleResolutionDownBy === scaleResolutionDownBy) return
    Object.assign(encoding, { maxBitrate, scaleResolutionDownBy })
    await sender.setParameters(parameters).catch((cause) => console.info("Sent as before", cause))
  }

  /** The code of this connection. */
  get code() {
    const { localDescription, remoteDescription } = this.peer
    return securityCode(localDescription?.sdp ?? "", remoteDescription?.sdp ?? "")
  }

  /** Processes a signal of the other side. */
  receive(data: SignalData) {
    this.queue = this.queue
      .then(() => (data.description ? this.describe(data.description) : this.addCandidate(data)))
      .catch((cause) => console.warn("A signal could not be used", cause))
  }

  /** The other side has started: an earlier offer was lost. */
  repeatOffer() {
    if (this.peer.signalingState === "have-local-offer") this.sendDescription()
  }

  /** The other side is reachable again: repeats an unanswered offer, or restarts ICE if the connection was lost. */
  recover() {
    const { connectionState, signalingState, remoteDescription } = this.peer
    if (connectionState === "connected") return
    if (signalingState === "have-local-offer") this.repeatOffer()
    else if (connectionState !== "connecting" && remoteDescription !== null) this.peer.restartIce()
  }

  get isConnected() {
    return this.peer.connectionState === "connected"
  }

  /** The connection's statistics so far. */
  sample() {
    return sampleOf(this.peer)
  }

  close() {
    this.peer.close()
  }

  private sendDescription() {
    const description = this.peer.localDescription
    if (description !== null) this.options.send({ description: { type: description.type, sdp: description.sdp } })
  }

  private async offer() {
    try {
      this.makingOffer = true
      await this.peer.setLocalDescription()
      this.sendDescription()
    } catch (cause) {
      console.warn("No offer could be made", cause)
    } finally {
      this.makingOffer = false
    }
  }

  private async describe(description: NonNullable<SignalData["description"]>) {
    const { peer } = this
    const ready = !this.makingOffer && (peer.signalingState === "stable" || this.settingAnswer)
    const collision = description.type === "offer" && !ready
    this.ignoringOffer = collision && !this.options.polite
    if (this.ignoringOffer || (description.type === "answer" && peer.signalingState === "stable")) return
    this.settingAnswer = description.type === "answer"
    try {
      await peer.setRemoteDescription(description)
    } finally {
      this.settingAnswer = false
    }
    if (description.type !== "offer") return
    await peer.setLocalDescription()
    this.sendDescription()
  }

  private async addCandidate({ candidate }: SignalData) {
    if (candidate === undefined) return
    try {
      await this.peer.addIceCandidate({ ...candidate, usernameFragment: candidate.usernameFragment ?? null })
    } catch (cause) {
      if (!this.ignoringOffer) throw cause
    }
  }

  private report() {
    const { connectionState } = this.peer
    if (connectionState === "connected") {
      this.wasConnected = true
      this.options.state("connected")
    } else if (this.wasConnected) this.options.state("interrupted")
    if (connectionState === "failed") this.peer.restartIce()
  }
}
