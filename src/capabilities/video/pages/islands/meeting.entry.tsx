import { render } from "preact"
import { postToParent } from "../../../../pages/islands/frame.ts"
import type { MeetingTexts } from "../../texts/meeting.ts"
import { Conversation } from "./Conversation.ts"
import { startDeviceTest } from "./DeviceTest.tsx"
import { announceTurn } from "./devices.tsx"
import { listenToKeys } from "./keys.ts"
import { Lobby } from "./Lobby.tsx"
import { switchLanguageInPlace } from "./languageMenu.ts"
import { levelIn } from "./level.ts"
import type { Ending, Renewed } from "./setting.ts"
import { Asking, CallStage, LeaveButton, OwnControls, type Part, Waiting, WaitingList } from "./views.tsx"

const root = document.querySelector<HTMLElement>("#meeting")
let texts: MeetingTexts = JSON.parse(root?.dataset.texts ?? "{}")
const { socket = "", role = "patient", returnUrl } = root?.dataset ?? {}

/** From a frame, too, whose call is over. */
const goBack = () => (returnUrl === undefined ? history.back() : open(returnUrl, "_top"))

const Outside = ({ conversation, texts, ending }: Part & { readonly ending: Ending }) => {
  const [first, second] =
    ending !== "left" && ending !== "replaced" ? ["secondary", "primary"] : ["primary", "secondary"]
  const canReturn =
    ending === "left" || ending === "replaced" || (ending === "dismissed" && conversation.setting.renew !== null)
  const help = ending === "refused" || (ending === "dismissed" && canReturn) ? texts.endingHelp[ending] : undefined
  return (
    <div class="card">
      <h1 tabindex={-1}>{texts.endings[ending]}</h1>
      {help === undefined ? null : <p>{help}</p>}
      <div class="actions">
        {canReturn ? (
          <button type="button" class={first} onClick={() => rejoin(conversation)}>
            {texts.comeBack}
          </button>
        ) : null}
        {returnUrl === undefined && history.length < 2 ? null : (
          <button type="button" class={second} onClick={goBack}>
            {conversation.setting.renew === null ? texts.back : texts.toAppointment}
          </button>
        )}
      </div>
    </div>
  )
}

/** The devices with which this browser entered beside a doctor's page: they need no check the next time. */
const DEVICES = "meeting:devices"
const isBesidePage = role === "doctor" && self !== top

const remember = ({ own: { tracks } }: Conversation) => {
  const devices = JSON.stringify({ audio: tracks.audio?.label, video: tracks.video?.label })
  if (isBesidePage && localStorage.getItem(DEVICES) !== devices) localStorage.setItem(DEVICES, devices)
}

/** Enters with the remembered devices, by their labels; where one of them is gone, or was off, the check is shown. */
const begin = async (conversation: Conversation) => {
  const { own } = conversation
  await own.start()
  const remembered = isBesidePage ? localStorage.getItem(DEVICES) : null
  if (remembered === null) return
  for (const kind of ["audio", "video"] as const) {
    const label = JSON.parse(remembered)[kind]
    if (label === own.tracks[kind]?.label) continue
    const device = own.devices.find((one) => one.kind === `${kind}input` && one.label === label)
    if (label === undefined || device === undefined) return
    await own.choose(kind, device.deviceId)
    if (own.tracks[kind]?.label !== label) return
  }
  if (own.problem === null && conversation.phase === "lobby") await conversation.enter()
}

const rejoin = (conversation: Conversation) => {
  void conversation.own.start()
  void conversation.enter()
}

const Inside = ({ conversation, texts }: Part) => {
  const doctor = conversation.setting.role === "doctor"
  if (conversation.partner !== null)
    return (
      <>
        <h1 class="unseen" tabindex={-1}>
          {texts.title}
        </h1>
        <CallStage conversation={conversation} texts={texts} />
        {doctor ? <WaitingList conversation={conversation} texts={texts} /> : null}
      </>
    )
  if (!doctor) return <Waiting conversation={conversation} texts={texts} />
  return (
    <>
      <div class="card">
        <h1 tabindex={-1}>{texts.doctorTitle}</h1>
        <OwnControls conversation={conversation} texts={texts}>
          <LeaveButton conversation={conversation} texts={texts} />
        </OwnControls>
      </div>
      <Asking conversation={conversation} texts={texts} />
      <WaitingList conversation={conversation} texts={texts} />
    </>
  )
}

const Meeting = ({ conversation, texts }: Part) => (
  <>
    <p
      class={conversation.phase === "inside" && conversation.link === "offline" ? "notice warn" : "unseen"}
      role="status"
    >
      {conversation.phase === "inside" && conversation.link === "offline" ? texts.reconnecting : ""}
    </p>
    {conversation.phase === "lobby" ? (
      <Lobby conversation={conversation} texts={texts} />
    ) : conversation.phase === "inside" ? (
      <Inside conversation={conversation} texts={texts} />
    ) : (
      <Outside conversation={conversation} texts={texts} ending={conversation.phase} />
    )}
  </>
)

/** The number of patients who wait for a doctor. */
const waitingFor = ({ setting, patients, partner }: Conversation) =>
  setting.role === "doctor" ? [...patients.keys()].filter((id) => id !== partner?.id).length : 0

/** The tab's title: the step and, for a doctor, the number of waiting patients. Never a name: titles are stored in histories. */
const titleOf = (conversation: Conversation, heading: string) => {
  const waiting = waitingFor(conversation)
  const place = heading === texts.title ? heading : `${heading} – ${texts.title}`
  return waiting === 0 ? place : `(${waiting}) ${place}`
}

if (root?.dataset.test !== undefined) {
  const draw = startDeviceTest(root, () => texts)
  switchLanguageInPlace((chosen) => {
    texts = chosen
    draw()
  })
} else if (root !== null) {
  const token = root.dataset.token ?? new URLSearchParams(location.search).get("jwt") ?? ""
  const { renewal } = root.dataset
  const renew = async (): Promise<Renewed> => {
    try {
      const answer = await fetch(renewal ?? "", { method: "POST", redirect: "error" })
      // overloaded or failing: the token of the page may still do
      return answer.ok || answer.status === 409 ? await answer.json() : { token }
    } catch (cause) {
      console.info("No fresh token", cause)
      return { token }
    }
  }
  const address = (jwt: string, session: string) => `${socket}?${new URLSearchParams({ jwt, session })}`
  let shown = ""
  const showLevel = levelIn(root)

  const draw = () => {
    render(<Meeting conversation={conversation} texts={texts} />, root)
    showLevel(conversation.phase === "lobby" ? conversation.own.tracks.audio : null)
    const heading = root.querySelector("h1")
    document.title = titleOf(conversation, heading?.textContent ?? "")
    if (conversation.setting.role === "doctor")
      postToParent("call", { waiting: waitingFor(conversation), patient: conversation.partner?.id ?? "" })
    if (conversation.phase === "inside") remember(conversation)
    const view = `${conversation.phase} ${conversation.partner?.id ?? ""}`
    if (view !== shown && shown !== "") heading?.focus()
    shown = view
  }

  const conversation = new Conversation(
    {
      role: role === "doctor" || role === "guest" ? role : "patient",
      group: root.dataset.group !== undefined,
      address,
      token,
      room: socket,
      renew: renewal === undefined ? null : renew
    },
    draw,
    () => announceTurn(texts.yourTurn)
  )
  root.replaceChildren()
  draw()
  void begin(conversation)
  listenToKeys(conversation)
  switchLanguageInPlace((chosen) => {
    texts = chosen
    draw()
  })
  addEventListener("beforeunload", (event) => {
    if (conversation.phase === "inside" && conversation.partner !== null) event.preventDefault()
  })
  // keeps a phone awake in the waiting room and the call, if the browser supports it
  navigator.wakeLock?.request("screen").catch(() => undefined)
}
