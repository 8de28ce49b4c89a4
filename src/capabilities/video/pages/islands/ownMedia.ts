/** Why the own camera or microphone is unavailable. */
export type MediaProblem = "denied" | "missing" | "inUse" | "unsupported"

type Kind = "audio" | "video"

const problemOf = (cause: unknown): MediaProblem => {
  const name = cause instanceof DOMException ? cause.name : ""
  if (name === "NotAllowedError" || name === "SecurityError") return "denied"
  if (name === "NotReadableError" || name === "AbortError") return "inUse"
  return "missing"
}

const constraintsOf = (kind: Kind, device: string | undefined): MediaStreamConstraints => {
  const exact = device === undefined ? {} : { deviceId: { exact: device } }
  return kind === "audio"
    ? { audio: { ...exact, echoCancellation: true, noiseSuppression: true } }
    : { video: { ...exact, width: { ideal: 1280 }, height: { ideal: 720 } } }
}

const devices = (): MediaDevices | undefined => navigator.mediaDevices

/**
 * The own camera and microphone. A camera that is turned off is released, so that its light goes out; a muted
 * microphone is kept, so that unmuting is immediate.
 */
export class OwnMedia {
  readonly tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null } = { audio: null, video: null }
  readonly wanted = { audio: true, video: true }
  readonly chosen: { audio?: string; video?: string } = {}
  /** the screen or window that is shared instead of the camera */
  screen: MediaStreamTrack | null = null
  problem: MediaProblem | null = null
  devices: ReadonlyArray<MediaDeviceInfo> = []
  preview: MediaStream | null = null
  /** number of the latest request per kind: a device granted for an earlier one is released immediately */
  private readonly requests = { audio: 0, video: 0 }

  constructor(private readonly changed: () => void) {
    devices()?.addEventListener("devicechange", () => void this.list())
  }

  /** Requests microphone and camera, unless the camera was turned off before; if one is missing, only the other. */
  async start() {
    const media = devices()
    if (media === undefined || typeof RTCPeerConnection === "undefined") return this.fail("unsupported")
    const kinds: ReadonlyArray<Kind> = this.wanted.video ? ["audio", "video"] : ["audio"]
    const pending = kinds.map((kind) => [kind, ++this.requests[kind]] as const)
    try {
      const stream = await media.getUserMedia(
        Object.assign({}, ...kinds.map((kind) => constraintsOf(kind, this.chosen[kind])))
      )
      for (const [kind, request] of pending) this.keep(kind, request, stream)
      this.problem = null
    } catch (cause) {
      if (problemOf(cause) === "denied") return this.fail("denied")
      for (const [kind, request] of pending) if (request === this.requests[kind]) await this.take(kind)
      if (this.tracks.audio === null && this.tracks.video === null) return this.fail(problemOf(cause))
    }
    await this.list()
  }

  /** Uses another device of one kind, now or, if that kind is off, when it is turned on. */
  async choose(kind: Kind, device: string) {
    this.chosen[kind] = device
    if (kind === "video" && !this.wanted.video) return
    this.release(kind)
    await this.take(kind)
    this.refresh()
  }

  isOn(kind: Kind) {
    return this.wanted[kind] && this.tracks[kind] !== null
  }

  /** Turns one kind on or off. */
  async toggle(kind: Kind) {
    this.wanted[kind] = !this.isOn(kind)
    if (kind === "video" && !this.wanted.video) this.release("video")
    else if (this.wanted[kind] && this.tracks[kind] === null) await this.take(kind)
    if (this.tracks.audio !== null) this.tracks.audio.enabled = this.wanted.audio
    this.refresh()
  }

  /** Whether the user has not yet allowed or refused camera and microphone. */
  get isAsking() {
    return this.problem === null && this.devices.length === 0
  }

  /** Whether the browser can share a screen; phones cannot. */
  get canShare() {
    return typeof devices()?.getDisplayMedia === "function"
  }

  /** Shares the screen instead of the camera, or the camera again. Cancelling the browser's dialog shares nothing. */
  async toggleScreen() {
    if (this.screen !== null) return this.endScreen()
    try {
      const stream = await navigator.mediaDevices.getDisplayMedia({ video: true })
      this.screen = stream.getVideoTracks()[0] ?? null
      this.screen?.addEventListener("ended", () => this.endScreen())
      this.refresh()
    } catch (cause) {
      console.info("No screen is shared", cause)
    }
  }

  private endScreen() {
    this.screen?.stop()
    this.screen = null
    this.refresh()
  }

  /** Releases all devices. */
  stop() {
    this.release("audio")
    this.release("video")
    this.endScreen()
  }

  private async take(kind: Kind) {
    const request = ++this.requests[kind]
    try {
      const stream = await navigator.mediaDevices.getUserMedia(constraintsOf(kind, this.chosen[kind]))
      this.keep(kind, request, stream)
      this.problem = null
    } catch (cause) {
      this.problem = problemOf(cause)
    }
  }

  /** A new microphone stays muted if the old one was; a device that is disconnected is no longer shown as on. */
  private keep(kind: Kind, request: number, stream: MediaStream) {
    const track = stream.getTracks().find((one) => one.kind === kind)
    if (track === undefined || request !== this.requests[kind]) return track?.stop()
    track.enabled = this.wanted[kind]
    track.addEventListener("ended", () => {
      if (this.tracks[kind] !== track) return
      this.release(kind)
      this.refresh()
    })
    this.tracks[kind] = track
  }

  private release(kind: Kind) {
    this.requests[kind]++
    this.tracks[kind]?.stop()
    this.tracks[kind] = null
  }

  private async list() {
    this.devices = await navigator.mediaDevices.enumerateDevices()
    this.refresh()
  }

  private fail(problem: MediaProblem) {
    this.problem = problem
    this.refresh()
  }

  private refresh() {
    const { video } = this.tracks
    this.preview = video === null ? null : new MediaStream([video])
    this.changed()
  }
}
