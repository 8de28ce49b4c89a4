import type { MediaProblem } from "./ownMedia.ts"
import { OwnControls, type Part, Picture } from "./views.tsx"

const devicesOf = (devices: ReadonlyArray<MediaDeviceInfo>, kind: MediaDeviceKind) =>
  devices.filter((device) => device.kind === kind && device.deviceId !== "")

const Chooser = ({ conversation, texts, kind }: Part & { readonly kind: "audio" | "video" }) => {
  const offered = devicesOf(conversation.own.devices, kind === "audio" ? "audioinput" : "videoinput")
  const used = conversation.own.tracks[kind]?.getSettings().deviceId
  if (offered.length === 0) return null
  return (
    <div class="field">
      <label for={kind}>{kind === "audio" ? texts.microphone : texts.camera}</label>
      <select
        id={kind}
        value={used}
        onChange={(event) => void conversation.own.choose(kind, event.currentTarget.value)}
      >
        {offered.map((device) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Plays two notes, to test the loudspeaker. */
const playSound = () => {
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

const Problem = ({ conversation, texts, problem }: Part & { readonly problem: MediaProblem }) => (
  <div class="notice warn stack">
    <p>{texts.mediaProblems[problem]}</p>
    {problem === "unsupported" ? null : (
      <>
        <p>{texts.checkAnyway}</p>
        <div class="actions">
          <button type="button" class="secondary" onClick={() => void conversation.own.start()}>
            {texts.tryAgain}
          </button>
        </div>
      </>
    )}
  </div>
)

/** The device check before entering. */
export const Lobby = ({ conversation, texts }: Part) => {
  const { own, setting } = conversation
  return (
    <div class="card">
      <h1 tabindex={-1}>{texts.checkTitle}</h1>
      <div role="alert">
        {own.problem === null ? null : <Problem conversation={conversation} texts={texts} problem={own.problem} />}
      </div>
      {own.problem === null ? <p>{own.devices.length === 0 ? texts.askAccess : texts.checkText}</p> : null}
      <div class="lobby">
        <div class="preview">
          <Picture stream={own.preview} label={texts.ownPicture} muted class="mirrored" />
          {own.preview === null ? <p class="blank">{texts.ownCameraOff}</p> : null}
        </div>
        <div class="stack">
          <Chooser conversation={conversation} texts={texts} kind="video" />
          <Chooser conversation={conversation} texts={texts} kind="audio" />
          {own.tracks.audio === null ? null : (
            <div class="field">
              <label for="level">{texts.level}</label>
              <meter id="level" class="level" min={0} max={1} value={0} />
            </div>
          )}
          <button type="button" class="secondary" onClick={playSound}>
            {texts.testSound}
          </button>
        </div>
      </div>
      <OwnControls conversation={conversation} texts={texts}>
        <button type="button" class="primary" onClick={() => conversation.enter()}>
          {setting.role === "doctor" ? texts.enterDoctor : texts.enter}
        </button>
      </OwnControls>
    </div>
  )
}
