/** Pages of signing in by mail or passkey. A form with `data-passkey` is filled in by the script, and hidden without it. */
import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"
import type { ConsoleTexts } from "../texts/catalogue.ts"

type Texts = ConsoleTexts["signIn"]["byMail"]

/** As a browser takes them, with binary values in base64url. */
export interface PasskeyOptions {
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: "required"
}

const Problem = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p class="notice warn" role="alert" tabindex={-1}>
      {text}
    </p>
  )

interface PasskeyFormProps {
  readonly action: string
  readonly kind: "get" | "create"
  readonly options: unknown
  readonly children: preact.ComponentChildren
}
const PasskeyForm = ({ action, kind, options, children }: PasskeyFormProps) => (
  <form method="post" action={action} class="stack" hidden data-passkey={kind} data-options={JSON.stringify(options)}>
    <input type="hidden" name="credential" value="" />
    {children}
  </form>
)

interface SignInProps {
  readonly texts: Texts
  readonly options: PasskeyOptions | null
  readonly problem: string | null
}
export const MailSignInPage = ({ texts, options, problem }: SignInProps) => (
  <section class="card stack">
    <h1>{texts.title}</h1>
    <Problem text={problem} />
    {options === null ? null : (
      <PasskeyForm action="/console/sign-in/passkey" kind="get" options={options}>
        <div class="actions">
          <button type="submit" class="primary">
            {texts.passkey}
          </button>
        </div>
        <p>{texts.or}</p>
      </PasskeyForm>
    )}
    <form method="post" action="/console/sign-in" class="stack">
      <div class="field">
        <label for="email">{texts.email}</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength={320} />
      </div>
      <div class="actions">
        <button type="submit" class={options === null ? "primary" : "secondary"}>
          {texts.send}
        </button>
      </div>
    </form>
  </section>
)

interface CodeProps {
  readonly texts: Texts
  readonly text: string
  readonly isWrong: boolean
}
export const CodePage = ({ texts, text, isWrong }: CodeProps) => (
  <section class="card stack">
    <h1>{texts.codeTitle}</h1>
    <Problem text={isWrong ? texts.wrong : null} />
    <p>{text}</p>
    <form method="post" action="/console/sign-in/code" class="stack">
      <div class="field">
        <label for="code">{texts.code}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          required
          maxlength={20}
          aria-invalid={isWrong ? "true" : undefined}
        />
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          {texts.enter}
        </button>
        <a class="secondary" href="/console/sign-in">
          {texts.another}
        </a>
      </div>
    </form>
  </section>
)

interface InvitationProps {
  readonly title: string
  readonly text: string
  readonly accept: string
}
export const InvitationPage = ({ title, text, accept }: InvitationProps) => (
  <section class="card">
    <h1>{title}</h1>
    <p>{text}</p>
    <form method="post" class="actions">
      <button type="submit" class="primary">
        {accept}
      </button>
    </form>
  </section>
)

interface AccountProps {
  readonly texts: ConsoleTexts["account"]
  readonly language: Language
  readonly csrf: string
  readonly known: ReadonlyArray<{ readonly credential_id: string; readonly name: string; readonly created_at: number }>
  /** Null where browsers make no passkeys. */
  readonly options: unknown
  readonly isRefused: boolean
  readonly places: ReadonlyArray<readonly [owner_uid: string, name: string]>
}
export const AccountPage = ({ texts, language, csrf, known, options, isRefused, places }: AccountProps) => {
  const token = <input type="hidden" name="@csrf" value={csrf} />
  const day = (seconds: number) => new Date(seconds * 1000).toLocaleDateString(language, { dateStyle: "medium" })
  return (
    <>
      <p>
        <a href="/console">{texts.back}</a>
      </p>
      {places.length < 2 ? null : (
        <section class="card stack">
          <h2>{texts.places}</h2>
          {places.map(([owner, name]) => (
            <form key={owner} method="post" action="/console/account/place">
              {token}
              <input type="hidden" name="owner" value={owner} />
              <button type="submit" class="secondary">
                {fill(texts.choose, { name })}
              </button>
            </form>
          ))}
        </section>
      )}
      <section class="card stack">
        <h1>{texts.title}</h1>
        <Problem text={isRefused ? texts.refused : null} />
        <p>{options === null ? texts.unavailable : texts.text}</p>
        {known.length === 0 ? <p class="help">{texts.none}</p> : null}
        {known.map(({ credential_id, name, created_at }) => (
          <form key={credential_id} method="post" action="/console/account/passkeys/remove" class="press">
            {token}
            <input type="hidden" name="credential" value={credential_id} />
            <span>{fill(texts.since, { name, date: day(created_at) })}</span>
            <button type="submit" class="secondary">
              {fill(texts.remove, { name })}
            </button>
          </form>
        ))}
        {options === null ? null : (
          <PasskeyForm action="/console/account/passkeys" kind="create" options={options}>
            {token}
            <div class="field">
              <label for="name">{texts.name}</label>
              <input id="name" name="name" required maxlength={255} value={texts.standardName} />
            </div>
            <div class="actions">
              <button type="submit" class="primary">
                {texts.add}
              </button>
            </div>
          </PasskeyForm>
        )}
      </section>
    </>
  )
}
