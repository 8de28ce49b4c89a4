import { useState } from "preact/hooks"
import type { Texts } from "../../../texts/de.ts"
import type { OwnMedia } from "./ownMedia.ts"

const offered = (devices: ReadonlyArray<MediaDeviceInfo>, kind: MediaDeviceKind) =>
  devices.filter((device) => device.kind === kind && device.deviceId !== "")

interface ChooserProps {
  readonly own: OwnMedia
  readonly texts: Texts["meeting"]
  readonly kind: "audio" | "video"
}

/** Chooses the microphone or the camera, before a call and during it. */
export const Chooser = ({ own, texts, kind }: ChooserProps) => {
  const devices = offered(own.devices, kind === "audio" ? "audioinput" : "videoinput")
  const used = own.tracks[kind]?.getSettings().deviceId
  if (devices.length === 0) return null
  return (
    <div class="field">
      <label for={kind}>{kind === "audio" ? texts.microphone : texts.camera}</label>
      <select id={kind} value={used} onChange={(event) => void own.choose(kind, event.currentTarget.value)}>
        {devices.map((device) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Plays two notes: to test the loudspeaker, and when it is one's turn. */
export const playSound = () => {
  const context = new AudioContext()
  const volume = new GainNode(context, { gain: 0.15 })
  volume.connect(context.destination)
  for (const [at, frequency] of [
    [0, 523],
    [0.25, 659]
  ] as const) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(volume)
    tone.start(context.currentTime + at)
    tone.stop(context.currentTime + at + 0.22)
    tone.addEventListener("ended", () => at > 0 && void context.close())
  }
}

const canNotify = () => "Notification" in window

/** Says by sound and, where the page is not in sight, by a notification that it is one's turn. Neither names anybody. */
export const announceTurn = (text: string) => {
  playSound()
  if (!document.hidden || !canNotify() || Notification.permission !== "granted") return
  try {
    const notification = new Notification(text)
    notification.addEventListener("click", () => {
      window.focus()
      notification.close()
    })
  } catch (cause) {
    // Chrome on Android knows notifications, and refuses them to pages
    console.info("No notification is shown", cause)
  }
}

/** Asks the browser once for notifications; nothing where it has been answered. */
export const NotifyButton = ({ texts }: { readonly texts: Texts["meeting"] }) => {
  const [permission, setPermission] = useState(canNotify() ? Notification.permission : "denied")
  return permission !== "default" ? null : (
    <button
      type="button"
      class="secondary"
      onClick={() => void Notification.requestPermission().then((answer) => setPermission(answer))}
    >
      {texts.notifyMe}
    </button>
  )
}
