import type { ComponentChildren } from "preact"
import type { MeetingTexts } from "../../texts/meeting.ts"
import { Chooser, playSound } from "./devices.tsx"
import type { OwnMedia } from "./ownMedia.ts"
import { Picture } from "./views.tsx"

interface Props {
  readonly own: OwnMedia
  readonly texts: MeetingTexts
  /** What comes before the choice of devices: who sees themself needs no other. */
  readonly first?: ComponentChildren
  readonly children?: ComponentChildren
}

/** Own video, choice of devices, microphone level and a test sound: before a call, and in the device test. */
export const DeviceCheck = ({ own, texts, first, children }: Props) => (
  <div class="lobby">
    <div class="preview">
      <Picture stream={own.preview} label={texts.ownPicture} muted class="mirrored" />
      {own.preview === null && !own.isAsking ? <p class="blank">{texts.ownCameraOff}</p> : null}
    </div>
    <div class="stack">
      {first}
      <Chooser own={own} texts={texts} kind="video" />
      <Chooser own={own} texts={texts} kind="audio" />
      {own.tracks.audio === null ? null : (
        <div class="field">
          <label for="level">{texts.level}</label>
          <meter id="level" class="level" min={0} max={1} value={0} />
        </div>
      )}
      <button type="button" class="secondary" onClick={playSound}>
        {texts.testSound}
      </button>
      {children}
    </div>
  </div>
)
