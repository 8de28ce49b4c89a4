import { render } from "preact"
import { meetingTexts } from "../../texts/meeting.ts"
import { LeaveIcon } from "../../views/icons.tsx"
import { Conversation } from "./Conversation.ts"
import { Lobby } from "./Lobby.tsx"
import { showLevel } from "./level.ts"
import type { Ending } from "./setting.ts"
import { OwnControls, type Part, Queue, Stage, Waiting } from "./views.tsx"

const ground = document.querySelector<HTMLElement>("#meeting")
const texts = meetingTexts[document.documentElement.lang === "en" ? "en" : "de"]
const { socket = "", role = "patient", returnUrl } = ground?.dataset ?? {}

const goBack = () => (returnUrl === undefined ? history.back() : location.assign(returnUrl))

const Outside = ({ talk, texts, ending }: Part & { readonly ending: Ending }) => {
  const [first, second] = ending === "dismissed" ? ["secondary", "primary"] : ["primary", "secondary"]
  return (
    <div class="card">
      <h1 tabindex={-1}>{texts[ending]}</h1>
      <div class="actions">
        {ending === "refused" ? null : (
          <button type="button" class={first} onClick={() => comeBack(talk)}>
            {texts.comeBack}
          </button>
        )}
        {returnUrl === undefined && history.length < 2 ? null : (
          <button type="button" class={second} onClick={goBack}>
            {texts.back}
          </button>
        )}
      </div>
    </div>
  )
}

const comeBack = (talk: Conversation) => {
  void talk.own.start()
  talk.enter()
}

const Inside = ({ talk, texts }: Part) => {
  const doctor = talk.setting.role === "doctor"
  if (talk.partner !== null)
    return (
      <>
        <h1 class="unseen" tabindex={-1}>
          {texts.title}
        </h1>
        <Stage talk={talk} texts={texts} />
        {doctor ? <Queue talk={talk} texts={texts} /> : null}
      </>
    )
  if (!doctor) return <Waiting talk={talk} texts={texts} />
  return (
    <>
      <div class="card">
        <h1 tabindex={-1}>{texts.doctorTitle}</h1>
        <OwnControls talk={talk} texts={texts}>
          <button type="button" class="control" onClick={() => talk.leave()}>
            <LeaveIcon />
            {texts.leave}
          </button>
        </OwnControls>
      </div>
      <Queue talk={talk} texts={texts} />
    </>
  )
}

const Meeting = ({ talk, texts }: Part) => (
  <>
    <p class={talk.phase === "inside" && talk.link === "offline" ? "notice warn" : "unseen"} role="status">
      {talk.phase === "inside" && talk.link === "offline" ? texts.reconnecting : ""}
    </p>
    {talk.phase === "lobby" ? (
      <Lobby talk={talk} texts={texts} />
    ) : talk.phase === "inside" ? (
      <Inside talk={talk} texts={texts} />
    ) : (
      <Outside talk={talk} texts={texts} ending={talk.phase} />
    )}
  </>
)

/** What the tab says: where one is and, to a doctor, how many wait. Never a name: titles end up in window lists. */
const titleOf = ({ setting, patients, partner }: Conversation, heading: string) => {
  const waiting = setting.role === "doctor" ? [...patients.keys()].filter((id) => id !== partner?.id).length : 0
  const place = heading === texts.title ? heading : `${heading} – ${texts.title}`
  return waiting === 0 ? place : `(${waiting}) ${place}`
}

if (ground !== null) {
  const token = new URLSearchParams(location.search).get("jwt") ?? ""
  const address = (jwt: string, session: string) => `${socket}?${new URLSearchParams({ jwt, session })}`
  let seen = ""
  let measured: MediaStreamTrack | null = null
  let stopMeasuring = () => {}

  const draw = () => {
    render(<Meeting talk={talk} texts={texts} />, ground)
    const { audio } = talk.own.tracks
    const measure = talk.phase === "lobby" ? audio : null
    if (measure !== measured) {
      stopMeasuring()
      stopMeasuring = measure === null ? () => {} : showLevel(measure, () => ground.querySelector("meter"))
      measured = measure
    }
    const heading = ground.querySelector("h1")
    document.title = titleOf(talk, heading?.textContent ?? "")
    const scene = `${talk.phase} ${talk.partner?.id ?? ""}`
    if (scene !== seen && seen !== "") heading?.focus()
    seen = scene
  }

  const talk = new Conversation({ role: role === "doctor" ? "doctor" : "patient", address, token, room: socket }, draw)
  ground.replaceChildren()
  draw()
  void talk.own.start()
  // a phone must not fall asleep while its owner waits or talks; where that cannot be asked for, nothing is lost
  navigator.wakeLock?.request("screen").catch(() => undefined)
}
