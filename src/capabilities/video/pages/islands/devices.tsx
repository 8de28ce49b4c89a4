import { useState } from "preact/hooks"
import type { MeetingTexts } from "../../texts/meeting.ts"
import type { OwnMedia } from "./ownMedia.ts"

const offered = (devices: ReadonlyArray<MediaDeviceInfo>, kind: MediaDeviceKind) =>
  devices.filter((device) => device.kind === kind && device.deviceId !== "")

interface ChooserProps {
  readonly own: OwnMedia
  readonly texts: MeetingTexts
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

/** Plays two notes, to test the speaker and to announce the patient's turn. */
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

/** Announces the patient's turn with a sound and, if the page is hidden, a notification. Neither contains a name. */
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
    // Chrome on Android has notifications, but not for pages
    console.info("No notification is shown", cause)
  }
}

/** Asks the user once for permission to show notifications; does nothing if already answered. */
export const NotifyButton = ({ texts }: { readonly texts: MeetingTexts }) => {
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
