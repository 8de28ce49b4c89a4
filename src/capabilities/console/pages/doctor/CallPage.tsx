import { useTexts } from "../useTexts.ts"

interface CallProps {
  /** The meeting's page, in which the call runs. */
  readonly room: string
  /** The patient's card. */
  readonly card: string
  readonly patient: string
}

/** What the call's frame may use. */
const ALLOWED = "camera; microphone; display-capture; fullscreen; autoplay; screen-wake-lock"

/** A running call and the patient's card, each in a frame of its own: whatever is opened or sent beside the call does not touch it. */
export const CallPage = ({ room, card, patient }: CallProps) => {
  const { doctor: texts } = useTexts()
  return (
    <div class="call">
      <h1 class="unseen">{texts.call}</h1>
      <nav class="call-parts" aria-label={texts.beside}>
        {/* on a phone the one that is chosen has more of the screen */}
        <label class="call-switch">
          <input type="checkbox" />
          {texts.largeCall}
        </label>
        <a href={card} target="patient" data-card>
          {texts.patient}
        </a>
        <a href="/console/doctor/prescriptions" target="patient">
          {texts.pages.prescriptions}
        </a>
      </nav>
      <iframe class="call-room" src={room} title={texts.call} allow={ALLOWED} data-patient={patient} />
      <iframe class="call-patient" name="patient" src={card} title={texts.patient} />
    </div>
  )
}
