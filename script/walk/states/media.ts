/** Browsers without a camera, without a connection, or with screen sharing without a prompt. */
import type { Page } from "playwright-core"

/** The browser's error for camera and microphone; `unsupported` lacks the API. */
export const forbidMedia = (
  page: Page,
  reason: "NotAllowedError" | "NotFoundError" | "NotReadableError" | "unsupported"
) =>
  page.addInitScript((name) => {
    if (name === "unsupported")
      return Object.defineProperty(Navigator.prototype, "mediaDevices", { get: () => undefined })
    if (!window.isSecureContext) return undefined // the browser's own page, for a site that is not reached
    MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException("not given", name))
    if (name === "NotFoundError") MediaDevices.prototype.enumerateDevices = () => Promise.resolve([])
    return undefined
  }, reason)

/** A network that blocks calls. */
export const neverConnect = (page: Page) =>
  page.addInitScript(() => {
    RTCPeerConnection.prototype.setLocalDescription = () => Promise.reject(new DOMException("no network"))
  })

/** Replaces the browser's screen sharing prompt with a drawn screen. */
export const giveScreen = (page: Page) =>
  page.addInitScript(() => {
    if (!window.isSecureContext) return
    MediaDevices.prototype.getDisplayMedia = async () => {
      const canvas = document.createElement("canvas")
      canvas.getContext("2d")?.fillRect(0, 0, 300, 150)
      return canvas.captureStream(5)
    }
  })

/** A connection with high packet loss. */
export const losePackets = (page: Page) =>
  page.addInitScript(() => {
    const figures = RTCPeerConnection.prototype.getStats
    let lost = 0
    RTCPeerConnection.prototype.getStats = async function (this: RTCPeerConnection) {
      const report = await figures.call(this)
      lost += 1000
      return new Map(
        [...report].map(([id, entry]) => [id, entry.type === "inbound-rtp" ? { ...entry, packetsLost: lost } : entry])
      )
    }
  })
