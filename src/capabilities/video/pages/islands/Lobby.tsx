import { DeviceCheck } from "./DeviceCheck.tsx"
import { NotifyButton } from "./devices.tsx"
import type { MediaProblem } from "./ownMedia.ts"
import { OwnControls, type Part } from "./views.tsx"

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

/** The field in which a patient of a group may enter a name. */
const GroupName = ({ conversation, texts }: Part) => (
  <div class="field">
    <label for="group-name">{texts.groupName}</label>
    <input
      id="group-name"
      maxLength={60}
      autocomplete="off"
      aria-describedby="group-hint"
      value={conversation.chosenName}
      onInput={(event) => {
        conversation.chosenName = event.currentTarget.value.trim()
      }}
    />
    <p id="group-hint" class="help">
      {texts.groupHint}
    </p>
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
      {own.problem === null ? <p>{own.isAsking ? texts.askAccess : texts.checkText}</p> : null}
      <DeviceCheck
        own={own}
        texts={texts}
        first={
          own.problem === "unsupported" ? null : (
            <>
              {setting.group ? <GroupName conversation={conversation} texts={texts} /> : null}
              <OwnControls conversation={conversation} texts={texts}>
                <button type="button" class="primary" onClick={() => void conversation.enter()}>
                  {setting.role === "doctor" ? texts.enterDoctor : texts.enter}
                </button>
              </OwnControls>
            </>
          )
        }
      >
        {setting.role === "patient" ? <NotifyButton texts={texts} /> : null}
      </DeviceCheck>
    </div>
  )
}
