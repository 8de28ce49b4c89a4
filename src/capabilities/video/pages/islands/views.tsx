import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import {
  CameraIcon,
  EndIcon,
  FillIcon,
  FullScreenIcon,
  LeaveIcon,
  MicrophoneIcon,
  ScreenIcon
} from "../../../../pages/views/icons.tsx"
import { fill, plural } from "../../../../texts/fill.ts"
import { clockOf, languageOfTag, languages, localeOf } from "../../../../texts/language.ts"
import type { MeetingTexts } from "../../texts/meeting.ts"
import type { Conversation, Partner } from "./Conversation.ts"
import { Chooser, NotifyButton } from "./devices.tsx"
import { toggleFullScreen } from "./fullScreen.ts"

export interface Part {
  readonly conversation: Conversation
  readonly texts: MeetingTexts
}

interface PictureProps {
  readonly stream: MediaStream | null
  readonly label: string
  readonly muted?: boolean
  readonly class?: string
}

/** The video element of a stream; the own one is muted. */
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

/** Buttons for microphone and camera, labelled with their action. */
export const OwnControls = ({ conversation, texts, children }: Part & { readonly children?: ComponentChildren }) => {
  const { own } = conversation
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

interface StageProps {
  readonly partner: Partner
  readonly filled: boolean
  readonly texts: MeetingTexts
}

interface ToolProps {
  readonly label: string
  readonly press: () => void
  readonly children: ComponentChildren
}

const Tool = ({ label, press, children }: ToolProps) => (
  <button type="button" class="tool" aria-label={label} title={label} onClick={press}>
    {children}
  </button>
)

/** Asks to confirm stepping out, since the patient then waits. */
const SteppingOut = ({ conversation, texts }: Part) => (
  <div class="notice stack" role="alertdialog" aria-label={texts.stepOut} aria-describedby="stepping-out">
    <p id="stepping-out">{texts.stepOutAsk}</p>
    <div class="actions">
      <button type="button" class="secondary" onClick={() => conversation.leave()}>
        {texts.stepOutYes}
      </button>
      <button type="button" class="primary" autofocus onClick={() => conversation.askSteppingOut(false)}>
        {texts.stay}
      </button>
    </div>
  </div>
)

/** A partner's video, and the state of the connection with them. */
const Stage = ({ partner, filled, texts }: StageProps) => {
  const { away, call } = partner
  const { name } = partner.member
  const problem =
    away && call.state !== "connected"
      ? fill(texts.otherGone, { name })
      : call.state === "connecting"
        ? texts.connecting
        : call.state === "interrupted"
          ? texts.reconnecting
          : null
  return (
    <div class={filled ? "stage filled" : "stage"} data-call={call.state}>
      <Picture stream={call.remote} label={fill(texts.otherPicture, { name })} />
      {problem !== null ? (
        <p class="blank">{problem}</p>
      ) : call.media.video ? null : (
        <p class="blank">{fill(texts.otherCameraOff, { name })}</p>
      )}
      <p class="badge">
        {name}
        {call.media.audio ? "" : ` · ${texts.otherMuted}`}
        <span class={`quality ${call.quality}`} role="img" aria-label={texts.quality[call.quality]}>
          <i />
          <i />
          <i />
        </span>
      </p>
    </div>
  )
}

/** The videos of a call, its state and its controls. */
export const CallStage = ({ conversation, texts }: Part) => {
  const { shown, own, setting } = conversation
  return (
    <>
      <div class="stages">
        {shown.map((partner) => (
          <Stage key={partner.member.id} partner={partner} filled={conversation.filled} texts={texts} />
        ))}
        <div class="tools">
          <Tool label={conversation.filled ? texts.fit : texts.fill} press={() => conversation.toggleFilled()}>
            <FillIcon />
          </Tool>
          {document.fullscreenEnabled ? (
            <Tool label={texts.fullScreen} press={toggleFullScreen}>
              <FullScreenIcon />
            </Tool>
          ) : null}
        </div>
        {own.preview === null ? null : (
          <div class="self">
            <Picture stream={own.preview} label={texts.ownPicture} muted class="mirrored" />
          </div>
        )}
      </div>
      <OwnControls conversation={conversation} texts={texts}>
        {own.canShare ? (
          <button
            type="button"
            class={`control ${own.screen === null ? "" : "off"}`}
            onClick={() => void own.toggleScreen()}
          >
            <ScreenIcon />
            {own.screen === null ? texts.shareScreen : texts.endSharing}
          </button>
        ) : null}
        {setting.role === "doctor" ? (
          <>
            <button type="button" class="control" onClick={() => conversation.askSteppingOut(true)}>
              <LeaveIcon />
              {texts.stepOut}
            </button>
            <button type="button" class="control leave" onClick={() => conversation.end()}>
              <EndIcon />
              {shown.length > 1 ? texts.endAll : texts.end}
            </button>
          </>
        ) : (
          <button type="button" class="control leave" onClick={() => conversation.leave()}>
            <LeaveIcon />
            {texts.leave}
          </button>
        )}
      </OwnControls>
      {conversation.steppingOut ? <SteppingOut conversation={conversation} texts={texts} /> : null}
      {shown.some(({ call }) => call.audioOnly) ? (
        <div class="notice warn stack" role="status">
          <p>{texts.audioOnly}</p>
          <div class="actions">
            <button type="button" class="secondary" onClick={() => conversation.sendPictureAgain()}>
              {texts.pictureAgain}
            </button>
          </div>
        </div>
      ) : null}
      <details class="folded">
        <summary>{texts.devices}</summary>
        <Chooser own={own} texts={texts} kind="video" />
        <Chooser own={own} texts={texts} kind="audio" />
      </details>
    </>
  )
}

/** The page's, which can be changed during the call. */
const languageNow = () => languageOfTag(document.documentElement.lang) ?? languages[0]

/** The time now, which is right for as long as the patient waits. */
const Clock = ({ texts }: { readonly texts: MeetingTexts }) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [])
  const language = languageNow()
  const time = new Intl.DateTimeFormat(localeOf(language), clockOf(language)).format(now)
  return <p class="clock">{fill(texts.clock, { time })}</p>
}

/** The patient's waiting room: position, and whether the doctor is present. */
export const Waiting = ({ conversation, texts }: Part) => {
  const { standing } = conversation
  const place =
    standing === null || standing.before === 0
      ? texts.waitNext
      : plural(languageNow(), texts.waitPosition, standing.before)
  const doctor =
    standing === null || standing.doctor === "absent"
      ? texts.waitDoctorAbsent
      : standing.doctor === "busy"
        ? texts.waitDoctorBusy
        : fill(texts.waitDoctorThere, { name: standing.doctor_name })
  const ahead = standing === null ? 0 : standing.before + (standing.doctor === "busy" ? 1 : 0)
  const expected = ahead * conversation.minutes
  return (
    <div class="card">
      <h1 tabindex={-1}>{texts.waitTitle}</h1>
      <div role="status" class="stack" data-standing={standing?.before}>
        <p class="lead">{place}</p>
        <p>{doctor}</p>
        {[...conversation.late].map(([member, { name, minutes }]) => (
          <p key={member}>{fill(texts.late, { name, n: String(minutes) })}</p>
        ))}
        {expected === 0 ? null : <p>{plural(languageNow(), texts.waitExpected, expected)}</p>}
      </div>
      <p class="waiting-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </p>
      <Clock texts={texts} />
      <p class="help">{texts.waitKeepOpen}</p>
      {conversation.own.preview === null ? null : (
        <div class="preview own">
          <Picture stream={conversation.own.preview} label={texts.ownPicture} muted class="mirrored" />
        </div>
      )}
      <NotifyButton texts={texts} />
      <OwnControls conversation={conversation} texts={texts}>
        <button type="button" class="control" onClick={() => conversation.leave()}>
          <LeaveIcon />
          {texts.leave}
        </button>
      </OwnControls>
    </div>
  )
}

/** The doctor's list of waiting patients, longest wait first. Screen readers announce changes of names, not of minutes. */
export const WaitingList = ({ conversation, texts }: Part) => {
  const waiting = [...conversation.patients.values()]
    .filter((member) => member.id !== conversation.partner?.id)
    .sort((a, b) => a.since - b.since)
  const late = [...conversation.late].filter(([id]) => !conversation.patients.has(id))
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
                onClick={() => conversation.admit(member.id)}
              >
                {texts.admit}
              </button>
            </li>
          ))}
        </ul>
      )}
      {late.length === 0 ? null : (
        <div role="status">
          <ul class="late">
            {late.map(([id, { name, minutes }]) => (
              <li key={id}>{fill(texts.late, { name, n: String(minutes) })}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

const sinceText = (texts: MeetingTexts, since: number) => {
  const minutes = Math.floor((performance.timeOrigin + performance.now() - since) / 60_000)
  return minutes < 1 ? texts.waitingJustNow : fill(texts.waitingSince, { n: String(minutes) })
}
