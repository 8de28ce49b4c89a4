import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { CameraIcon } from "../../../../pages/views/icons.tsx"
import { fill, plural } from "../../../../texts/fill.ts"
import { clockOf, languageAmong, languages, localeOf } from "../../../../texts/language.ts"
import type { Member } from "../../schemas/Signal.ts"
import type { MeetingTexts } from "../../texts/meeting.ts"
import { EndIcon, FillIcon, FullScreenIcon, LeaveIcon, MicrophoneIcon, ScreenIcon } from "../icons.tsx"
import type { Conversation, Partner } from "./Conversation.ts"
import { Chooser, NotifyButton } from "./devices.tsx"
import { toggleFullScreen } from "./fullScreen.ts"
import { wholeWords } from "./liveText.ts"

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

/** The own picture, once the camera is on. */
const OwnPicture = ({ conversation: { own }, texts, class: name }: Part & { readonly class: string }) =>
  own.preview === null ? null : (
    <div class={name}>
      <Picture stream={own.preview} label={texts.ownPicture} muted class="mirrored" />
    </div>
  )

/** What everybody is in the call. */
const roleOf = ({ role, capacity }: Member, texts: MeetingTexts) =>
  texts.roles[role === "guest" ? (capacity ?? "relative") : role]

/** Buttons for microphone and camera, labelled with what is and what a press does, and further ones. */
export const OwnControls = ({ conversation, texts, children }: Part & { readonly children?: ComponentChildren }) => (
  <div class="controls">
    {(["audio", "video"] as const).map((kind) => {
      const isOn = conversation.own.isOn(kind)
      const [Icon, on, off] =
        kind === "audio"
          ? ([MicrophoneIcon, texts.microphoneOn, texts.microphoneOff] as const)
          : ([CameraIcon, texts.cameraOn, texts.cameraOff] as const)
      return (
        <button
          key={kind}
          type="button"
          class={`control ${isOn ? "" : "off"}`}
          onClick={() => void conversation.own.toggle(kind)}
        >
          <Icon off={!isOn} />
          <span>
            {isOn ? on : off}
            <small> – {isOn ? texts.turnOff : texts.turnOn}</small>
          </span>
        </button>
      )
    })}
    {children}
  </div>
)

export const LeaveButton = ({ conversation, texts, class: name = "control" }: Part & { readonly class?: string }) => (
  <button type="button" class={name} onClick={() => conversation.leave()}>
    <LeaveIcon />
    {texts.leave}
  </button>
)

interface PartnerProps extends Part {
  readonly partner: Partner
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
const Stage = ({ conversation, partner, texts }: PartnerProps) => {
  const { away, call, member } = partner
  const { filled, comparing, setting } = conversation
  const { name } = member
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
        {name} · {roleOf(member, texts)}
        {call.media.audio ? "" : ` · ${texts.otherMuted}`}
        <span class={`quality ${call.quality}`} role="img" aria-label={texts.quality[call.quality]}>
          <i />
          <i />
          <i />
        </span>
        {comparing ? <span class="code">{call.code}</span> : null}
      </p>
      {setting.role === "doctor" && member.role === "guest" ? (
        <div class="remove">
          <Tool label={fill(texts.removeGuest, { name })} press={() => conversation.tell("dismiss", member.id)}>
            <EndIcon />
          </Tool>
        </div>
      ) : null}
    </div>
  )
}

/** The videos of a call, its state and its controls. */
export const CallStage = ({ conversation, texts }: Part) => {
  const { shown, own, setting } = conversation
  const isTextOnly = shown.some(({ call }) => call.textOnly)
  const isWriting = conversation.writing || isTextOnly || shown.some(({ call }) => call.text !== "")
  const weak = shown.filter(({ call }) => call.quality === "poor")
  return (
    <>
      {setting.role === "doctor" ? <Elapsed texts={texts} /> : null}
      <Asking conversation={conversation} texts={texts} />
      <div class="stages">
        {shown.map((partner) => (
          <Stage key={partner.member.id} conversation={conversation} partner={partner} texts={texts} />
        ))}
        <div class="tools">
          <Tool label={conversation.filled ? texts.fit : texts.fill} press={() => conversation.toggle("filled")}>
            <FillIcon />
          </Tool>
          {document.fullscreenEnabled ? (
            <Tool label={texts.fullScreen} press={toggleFullScreen}>
              <FullScreenIcon />
            </Tool>
          ) : null}
        </div>
        <OwnPicture conversation={conversation} texts={texts} class="self" />
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
        <button
          type="button"
          class="control"
          aria-expanded={isWriting}
          aria-controls="live-text"
          onClick={() => conversation.toggle("writing")}
        >
          {texts.write}
        </button>
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
          <LeaveButton conversation={conversation} texts={texts} class="control leave" />
        )}
      </OwnControls>
      {conversation.steppingOut ? <SteppingOut conversation={conversation} texts={texts} /> : null}
      <div id="live-text">{isWriting ? <LiveText conversation={conversation} texts={texts} /> : null}</div>
      {shown.some(({ call }) => call.audioOnly) ? (
        <div class="notice warn stack" role="status">
          <p>{isTextOnly ? texts.textOnly : texts.audioOnly}</p>
          <div class="actions">
            <button type="button" class="secondary" onClick={() => conversation.sendAllAgain()}>
              {isTextOnly ? texts.allAgain : texts.pictureAgain}
            </button>
          </div>
        </div>
      ) : null}
      <p class={weak.length === 0 || shown.length === 1 ? "unseen" : "notice"} role="status">
        {weak.map(({ member: { name } }) => fill(texts.weakLine, { name })).join(" ")}
      </p>
      <details class="folded" onToggle={({ currentTarget }) => conversation.compare(currentTarget.open)}>
        <summary>{texts.code}</summary>
        <p>{texts.codeHelp}</p>
        <ul>
          {shown.map(({ member: { id, name }, call }) => (
            <li key={id}>
              {name}: <strong class="code">{call.code}</strong>
            </li>
          ))}
        </ul>
      </details>
      <details class="folded">
        <summary>{texts.devices}</summary>
        <Chooser own={own} texts={texts} kind="video" />
        <Chooser own={own} texts={texts} kind="audio" />
      </details>
    </>
  )
}

/** Guests who wait for this side: a doctor admits them, a patient agrees or not. */
export const Asking = ({ conversation, texts }: Part) => {
  const isDoctor = conversation.setting.role === "doctor"
  return (
    <div role="status">
      {conversation.asking.map((member) => {
        const { id, name, agreed } = member
        const values = { name, role: roleOf(member, texts) }
        const yes = isDoctor ? texts.admit : texts.agree
        const no = isDoctor ? fill(texts.removeGuest, values) : texts.refuse
        return (
          <div key={id} class="notice stack">
            <p>{fill(isDoctor ? texts.guestWaits : texts.guestAsks, values)}</p>
            {isDoctor && agreed !== true ? <p>{texts.agreementMissing}</p> : null}
            <div class="actions">
              <button
                type="button"
                class="primary"
                aria-label={`${yes}: ${name}`}
                onClick={() => conversation.tell(isDoctor ? "admit" : "agree", id)}
              >
                {yes}
              </button>
              <button
                type="button"
                class="secondary"
                aria-label={isDoctor ? no : `${no}: ${name}`}
                onClick={() => conversation.tell(isDoctor ? "dismiss" : "refuse", id)}
              >
                {no}
              </button>
            </div>
          </div>
        )
      })}
    </div>
  )
}

/** What one of the others types. Screen readers get whole words; a doctor may copy a line, for example into a note. */
const TheirText = ({ conversation, partner: { member, call }, texts }: PartnerProps) => {
  const title = fill(texts.theirText, { name: member.name })
  const words = wholeWords(call.text).match(/\S+\s*/g) ?? []
  return (
    <section class="typed" aria-label={title}>
      <h2>{title}</h2>
      <div aria-hidden="true" class="lines" data-text={member.id}>
        {call.text}
      </div>
      <p class="unseen" role="log">
        {words.map((word, at) => (
          <span key={at}>{word}</span>
        ))}
      </p>
      {conversation.setting.role === "doctor"
        ? call.text
            .split("\n")
            .slice(0, -1)
            .filter((line) => line.trim() !== "")
            .map((line, at) => (
              <button
                key={at}
                type="button"
                class="quiet"
                onClick={() =>
                  void navigator.clipboard.writeText(line).catch((cause) => console.info("Not copied", cause))
                }
              >
                {texts.copyLine}: {line}
              </button>
            ))
        : null}
    </section>
  )
}

/** The fields for writing: the others' and the own. */
const LiveText = ({ conversation, texts }: Part) => (
  <div class="card live-text">
    {conversation.shown.map((partner) => (
      <TheirText key={partner.member.id} conversation={conversation} partner={partner} texts={texts} />
    ))}
    <label for="own-text">{texts.ownText}</label>
    <textarea
      id="own-text"
      rows={3}
      maxLength={10_000}
      value={conversation.typed}
      onInput={({ currentTarget }) => conversation.type(currentTarget.value)}
    />
  </div>
)

/** The page's, which can be changed during the call. */
const languageNow = () => languageAmong(languages, document.documentElement.lang) ?? languages[0]

/** The time, drawn again while it goes on, in milliseconds. */
const useNow = () => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const timeOf = (now: number) => {
  const language = languageNow()
  return new Intl.DateTimeFormat(localeOf(language), clockOf(language)).format(now)
}

/** The time now, which is right for as long as the patient waits. */
const Clock = ({ texts }: { readonly texts: MeetingTexts }) => (
  <p class="clock">{fill(texts.clock, { time: timeOf(useNow()) })}</p>
)

/** The time, and how long the call has taken. */
const Elapsed = ({ texts }: { readonly texts: MeetingTexts }) => {
  const [since] = useState(Date.now)
  const now = useNow()
  const minutes = Math.floor((now - since) / 60_000)
  return <p class="clock">{fill(texts.callClock, { time: timeOf(now), n: String(minutes) })}</p>
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
  const { pending, setting } = conversation
  return (
    <div class="card">
      <h1 tabindex={-1}>{texts.waitTitle}</h1>
      <Asking conversation={conversation} texts={texts} />
      <div role="status" class="stack" data-standing={standing?.before}>
        {setting.role === "guest" ? (
          <>
            {pending?.admitted === true ? null : <p>{texts.pendingDoctor}</p>}
            {pending?.agreed === true ? null : <p>{texts.pendingPatient}</p>}
          </>
        ) : (
          <>
            <p class="lead">{place}</p>
            <p>{doctor}</p>
          </>
        )}
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
      <OwnPicture conversation={conversation} texts={texts} class="preview own" />
      <NotifyButton texts={texts} />
      <OwnControls conversation={conversation} texts={texts}>
        <LeaveButton conversation={conversation} texts={texts} />
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
