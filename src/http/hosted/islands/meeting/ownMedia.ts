/** Why there is no picture or sound of one's own. */
export type MediaProblem = "denied" | "missing" | "inUse" | "unsupported"

const problemOf = (cause: unknown): MediaProblem => {
  const name = cause instanceof DOMException ? cause.name : ""
  if (name === "NotAllowedError" || name === "SecurityError") return "denied"
  if (name === "NotReadableError" || name === "AbortError") return "inUse"
  return "missing"
}

const wishes = (kind: "audio" | "video", device: string | undefined): MediaStreamConstraints => {
  const exact = device === undefined ? {} : { deviceId: { exact: device } }
  return kind === "audio"
    ? { audio: { ...exact, echoCancellation: true, noiseSuppression: true } }
    : { video: { ...exact, width: { ideal: 1280 }, height: { ideal: 720 } } }
}

/**
 * One's own camera and microphone. A camera that is switched off is let go, so that its light goes out; a muted
 * microphone is kept, so that speaking again starts at once.
 */
export class OwnMedia {
  readonly tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null } = { audio: null, video: null }
  readonly wanted = { audio: true, video: true }
  readonly chosen: { audio?: string; video?: string } = {}
  problem: MediaProblem | null = null
  devices: ReadonlyArray<MediaDeviceInfo> = []
  preview: MediaStream | null = null

  constructor(private readonly changed: () => void) {}

  /** Asks for camera and microphone; with one of them missing, goes on with the other. */
  async start() {
    const media: MediaDevices | undefined = navigator.mediaDevices
    if (media === undefined || typeof RTCPeerConnection === "undefined") return this.fail("unsupported")
    media.addEventListener("devicechange", () => void this.list())
    try {
      const stream = await media.getUserMedia({ ...wishes("audio", undefined), ...wishes("video", undefined) })
      this.tracks.audio = stream.getAudioTracks()[0] ?? null
      this.tracks.video = stream.getVideoTracks()[0] ?? null
    } catch (cause) {
      if (problemOf(cause) === "denied") return this.fail("denied")
      await this.take("audio")
      await this.take("video")
      if (this.tracks.audio === null && this.tracks.video === null) return this.fail(problemOf(cause))
    }
    await this.list()
  }

  /** Uses another device of one kind. */
  async choose(kind: "audio" | "video", device: string) {
    this.chosen[kind] = device
    this.release(kind)
    await this.take(kind)
    this.refresh()
  }

  /** Switches one kind on or off. */
  async toggle(kind: "audio" | "video") {
    this.wanted[kind] = !(this.wanted[kind] && this.tracks[kind] !== null)
    if (kind === "video" && !this.wanted.video) this.release("video")
    else if (this.wanted[kind] && this.tracks[kind] === null) await this.take(kind)
    if (this.tracks.audio !== null) this.tracks.audio.enabled = this.wanted.audio
    this.refresh()
  }

  /** Lets everything go. */
  stop() {
    this.release("audio")
    this.release("video")
    this.refresh()
  }

  private async take(kind: "audio" | "video") {
    try {
      const stream = await navigator.mediaDevices.getUserMedia(wishes(kind, this.chosen[kind]))
      this.tracks[kind] = stream.getTracks()[0] ?? null
      this.problem = null
    } catch (cause) {
      this.problem = problemOf(cause)
    }
  }

  private release(kind: "audio" | "video") {
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
