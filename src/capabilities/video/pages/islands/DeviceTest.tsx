import { render } from "preact"
import type { MeetingTexts } from "../../texts/meeting.ts"
import { DeviceCheck } from "./DeviceCheck.tsx"
import { levelIn } from "./level.ts"
import { OwnMedia } from "./ownMedia.ts"

const TIMEOUT_MS = 10_000

/** Whether two peer connections reach each other, through the TURN server if there is one, as in a call. */
const canConnect = async (iceServers: Array<RTCIceServer>) => {
  const options: RTCConfiguration = { iceServers, iceTransportPolicy: iceServers.length > 0 ? "relay" : "all" }
  const [one, other] = [new RTCPeerConnection(options), new RTCPeerConnection(options)]
  for (const [from, to] of [
    [one, other],
    [other, one]
  ] as const)
    from.addEventListener("icecandidate", ({ candidate }) => {
      if (candidate !== null) void to.addIceCandidate(candidate)
    })
  const opened = new Promise<boolean>((resolve) => {
    one.createDataChannel("test").addEventListener("open", () => resolve(true))
    setTimeout(() => resolve(false), TIMEOUT_MS)
  })
  await one.setLocalDescription()
  await other.setRemoteDescription(one.localDescription ?? { type: "rollback" })
  await other.setLocalDescription()
  await one.setRemoteDescription(other.localDescription ?? { type: "rollback" })
  const connected = await opened
  one.close()
  other.close()
  return connected
}

interface TestProps {
  readonly own: OwnMedia
  readonly texts: MeetingTexts
  readonly connection: "checking" | "good" | "none"
  readonly back: string
  readonly again: () => void
}

const Test = ({ own, texts, connection, back, again }: TestProps) => (
  <div class="card">
    <h1 tabindex={-1}>{texts.testTitle}</h1>
    <p>{own.problem !== null ? texts.mediaProblems[own.problem] : own.isAsking ? texts.askAccess : texts.testText}</p>
    <DeviceCheck own={own} texts={texts} />
    <p class={connection === "none" ? "notice warn" : "notice"} role="status" data-connection={connection}>
      {texts.testConnection[connection]}
    </p>
    <div class="actions">
      <a class="primary" href={back}>
        {texts.testBack}
      </a>
      <button type="button" class="secondary" onClick={again}>
        {texts.tryAgain}
      </button>
    </div>
  </div>
)

/** Tests camera, microphone, speaker and connection in advance; data is sent only to the TURN server. */
export const startDeviceTest = (root: HTMLElement, textsNow: () => MeetingTexts) => {
  const iceServers: Array<RTCIceServer> = JSON.parse(root.dataset.iceServers ?? "[]")
  let connection: TestProps["connection"] = "checking"
  const showLevel = levelIn(root)
  const run = () => {
    connection = "checking"
    void own.start()
    draw()
    canConnect(iceServers)
      .catch(() => false)
      .then((good) => {
        connection = good ? "good" : "none"
        draw()
      })
  }
  const draw = () => {
    render(
      <Test own={own} texts={textsNow()} connection={connection} back={root.dataset.back ?? ""} again={run} />,
      root
    )
    showLevel(own.tracks.audio)
  }
  const own = new OwnMedia(draw)
  root.replaceChildren()
  run()
  addEventListener("pagehide", () => own.stop())
  return draw
}
