import type { ComponentChildren } from "preact"
import type { MeetingTexts } from "../../texts/meeting.ts"
import { CameraIcon, EndIcon, LeaveIcon, MicrophoneIcon } from "../../views/icons.tsx"
import type { Conversation } from "./Conversation.ts"

export interface Part {
  readonly talk: Conversation
  readonly texts: MeetingTexts
}

interface PictureProps {
  readonly stream: MediaStream | null
  readonly label: string
  readonly muted?: boolean
  readonly class?: string
}

/** A stream as a picture. The sound of one's own is never played. */
export const Picture = ({ stream, label, muted = false, class: name }: PictureProps) => (
  <video
    class={name}
    aria-label={label}
    autoplay
    playsinline
    muted={muted}
    ref={(element) => {
      if (element !== null && element.srcObject !== stream) element.srcObject = stream
    }}
  />
)

/** Microphone and camera, each a button that says what pressing it does. */
export const OwnControls = ({ talk, texts, children }: Part & { readonly children?: ComponentChildren }) => {
  const { own } = talk
  const audio = own.wanted.audio && own.tracks.audio !== null
  const video = own.wanted.video && own.tracks.video !== null
  return (
    <div class="controls">
      <button type="button" class={`control ${audio ? "" : "off"}`} onClick={() => void own.toggle("audio")}>
        <MicrophoneIcon off={!audio} />
        {audio ? texts.mute : texts.unmute}
      </button>
      <button type="button" class={`control ${video ? "" : "off"}`} onClick={() => void own.toggle("video")}>
        <CameraIcon off={!video} />
        {video ? texts.cameraOff : texts.cameraOn}
      </button>
      {children}
    </div>
  )
}

/** The two pictures, what is wrong with them if anything, and the controls. */
export const Stage = ({ talk, texts }: Part) => {
  const { partner, partnerAway, call, own, setting } = talk
  const name = partner?.name ?? ""
  const fill = (text: string) => text.replace("{name}", name)
  const trouble =
    partnerAway && call.state !== "connected"
      ? fill(texts.otherGone)
      : call.state === "connecting"
        ? texts.connecting
        : call.state === "interrupted"
          ? texts.reconnecting
          : null
  return (
    <>
      <div class="stage" data-call={call.state}>
        <Picture stream={call.remote} label={fill(texts.otherPicture)} />
        {trouble !== null ? (
          <p class="blank">{trouble}</p>
        ) : call.media.video ? null : (
          <p class="blank">{fill(texts.otherCameraOff)}</p>
        )}
        <p class="badge">
          {name}
          {call.media.audio ? "" : ` · ${texts.otherMuted}`}
        </p>
        {own.preview === null ? null : (
          <div class="self">
            <Picture stream={own.preview} label={texts.ownPicture} muted class="mirrored" />
          </div>
        )}
      </div>
      <OwnControls talk={talk} texts={texts}>
        {setting.role === "doctor" ? (
          <button type="button" class="control" onClick={() => talk.end()}>
            <EndIcon />
            {texts.end}
          </button>
        ) : null}
        <button type="button" class="control leave" onClick={() => talk.leave()}>
          <LeaveIcon />
          {texts.leave}
        </button>
      </OwnControls>
    </>
  )
}

/** The patient's wait: who knows that they are here, and how many come before. */
export const Waiting = ({ talk, texts }: Part) => {
  const { standing } = talk
  const place =
    standing === null || standing.before === 0
      ? texts.waitNext
      : texts.waitPosition.replace("{n}", String(standing.before))
  const doctor =
    standing === null || standing.doctor === "absent"
      ? texts.waitDoctorAbsent
      : standing.doctor === "busy"
        ? texts.waitDoctorBusy
        : texts.waitDoctorThere.replace("{name}", standing.doctor_name)
  return (
    <div class="card">
      <h1 tabindex={-1}>{texts.waitTitle}</h1>
      <div role="status" class="stack" data-standing={standing?.before}>
        <p class="lead">{place}</p>
        <p>{doctor}</p>
      </div>
      <p class="waiting-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
      <p class="help">{texts.waitKeepOpen}</p>
      <OwnControls talk={talk} texts={texts}>
        <button type="button" class="control" onClick={() => talk.leave()}>
          <LeaveIcon />
          {texts.leave}
        </button>
      </OwnControls>
    </div>
  )
}

/** The doctor's list of those who wait, longest first. Told aloud is who waits, not each minute that they do. */
export const Queue = ({ talk, texts }: Part) => {
  const waiting = [...talk.patients.values()]
    .filter((member) => member.id !== talk.partner?.id)
    .sort((a, b) => a.since - b.since)
  return (
    <section class="card" aria-labelledby="queue">
      <h2 id="queue">{texts.waitingList}</h2>
      <p class={waiting.length === 0 ? "" : "unseen"} role="status">
        {waiting.length === 0 ? texts.doctorEmpty : waiting.map(({ name }) => name).join(", ")}
      </p>
      {waiting.length === 0 ? null : (
        <ul class="queue">
          {waiting.map((member) => (
            <li key={member.id}>
              <span>
                <strong>{member.name}</strong> <span class="since">{sinceText(texts, member.since)}</span>
              </span>
              <button
                type="button"
                class="primary"
                aria-label={`${texts.admit}: ${member.name}`}
                onClick={() => talk.admit(member.id)}
              >
                {texts.admit}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const sinceText = (texts: MeetingTexts, since: number) => {
  const minutes = Math.floor((performance.timeOrigin + performance.now() - since) / 60_000)
  return minutes < 1 ? texts.waitingJustNow : texts.waitingSince.replace("{n}", String(minutes))
}
