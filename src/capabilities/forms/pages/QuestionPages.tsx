import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { Act, Choice, DoneMark, Options, PostForm, Said, Unreachable } from "../../../pages/views/forms.tsx"
import { useLanguage } from "../../../pages/views/pageLanguage.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { fill } from "../../../texts/fill.ts"
import type { FormItem, FormText } from "../schemas/Form.ts"
import type { FormFile } from "../schemas/TypeFields.ts"
import { textIn } from "../services/engine.ts"
import { saidOf } from "../services/screens.ts"
import { questionTexts } from "../texts/questions.ts"

export type QuestionNotice = keyof ReturnType<typeof questionTexts>["notices"]

/** What a form asks now, and what was answered so far. */
export interface Asking {
  readonly enabled: ReadonlySet<string>
  /** The texts of an item's fields. */
  readonly texts: (item: FormItem) => ReadonlyArray<string>
  readonly fault: (item: FormItem) => "required" | "invalid" | null
  readonly files: ReadonlyArray<FormFile>
}
const CurrentForm = createContext<Asking>({ enabled: new Set(), texts: () => [], fault: () => null, files: [] })

const useTexts = () => questionTexts(useLanguage())
const useSay = () => {
  const language = useLanguage()
  return (text: FormText) => textIn(text, language, "de")
}

interface ItemProps {
  readonly item: FormItem
}

/** Most options that are shown side by side: more are a list to choose from. */
const SIDE_BY_SIDE = 8

/** An item's field: its name and texts, and what describes it. */
const useField = (item: FormItem, hasHelp = false) => {
  const { texts, fault } = useContext(CurrentForm)
  const id = `q-${item.link_id}`
  const problem = fault(item)
  const by = [hasHelp ? `${id}-help` : null, problem === null ? null : `${id}-fault`].filter(Boolean).join(" ")
  const described = {
    ...(by !== "" && { "aria-describedby": by }),
    ...(problem !== null && { "aria-invalid": "true" as const })
  }
  return { id, name: `a.${item.link_id}`, given: texts(item), described }
}

const Label = ({ item }: ItemProps) => (
  <>
    {useSay()(item.text)}
    {item.required ? null : ` (${catalogue[useLanguage()].consent.optional})`}
  </>
)

const Fault = ({ item }: ItemProps) => {
  const fault = useContext(CurrentForm).fault(item)
  return fault === null ? null : (
    <p id={`q-${item.link_id}-fault`} class="fault">
      {useTexts().faults[fault]}
    </p>
  )
}

const Help = ({ item, text }: ItemProps & { readonly text: string }) => (
  <p id={`q-${item.link_id}-help`} class="help">
    {text}
  </p>
)

/** A field with its label above it, and what is wrong with it below. */
const Labelled = ({ item, children }: ItemProps & { readonly children: ComponentChildren }) => (
  <div class="field">
    <label for={`q-${item.link_id}`}>
      <Label item={item} />
    </label>
    {children}
    <Fault item={item} />
  </div>
)

interface OfferedProps extends ItemProps {
  readonly of: ReadonlyArray<readonly [value: string, text: string]>
}

/** One of several answers, or some of them. */
const Offered = ({ item, of }: OfferedProps) => {
  const { id, name, given, described } = useField(item)
  return (
    <fieldset class="consents" id={id} tabindex={-1} {...described}>
      <legend>
        <Label item={item} />
      </legend>
      {of.map(([value, text]) => (
        <Choice
          key={value}
          type={item.repeats ? "checkbox" : "radio"}
          {...{ name, value, required: item.required && !item.repeats, checked: given.includes(value) }}
        >
          {text}
        </Choice>
      ))}
      <Fault item={item} />
    </fieldset>
  )
}

const Files = ({ item }: ItemProps) => {
  const { files: texts, states } = useTexts()
  const { id, name, given, described } = useField(item, true)
  return (
    <Labelled item={item}>
      {useContext(CurrentForm)
        .files.filter(({ uid }) => given.includes(uid))
        .map(({ uid, name, status }) => (
          <p key={uid} class="notice">
            <bdi>{name}</bdi>
            {status === "clean" ? null : ` (${states[status]})`}{" "}
            <button type="submit" class="quiet" name="remove" value={`${item.link_id} ${uid}`} formnovalidate>
              {fill(texts.remove, { name })}
            </button>
          </p>
        ))}
      {item.repeats || given.length === 0 ? (
        <>
          <Help item={item} text={texts.help} />
          <input type="file" id={id} name={name} accept="application/pdf,image/jpeg,image/png" {...described} />
          <Act does="add" look="secondary" text={texts.add} />
        </>
      ) : null}
    </Labelled>
  )
}

const inputOf = ({ type, min, max_length }: FormItem) => {
  if (type === "date") return { type: "date" } as const
  if (type === "string") return { type: "text", maxlength: max_length ?? 255 } as const
  const inputmode = type === "integer" && (min ?? -1) >= 0 ? "numeric" : "decimal"
  return { type: "text", inputmode, maxlength: 20 } as const
}

const Field = ({ item }: ItemProps) => {
  const texts = useTexts()
  const { id, name, given, described } = useField(item, item.repeats)
  const [text = ""] = given
  const common = { id, name, required: item.required, ...described }
  return (
    <Labelled item={item}>
      {item.repeats ? (
        <>
          <Help item={item} text={texts.lines} />
          <textarea {...common} rows={3}>
            {given.join("\n")}
          </textarea>
        </>
      ) : item.type === "text" ? (
        <textarea {...common} rows={4} maxlength={item.max_length ?? 2_000}>
          {text}
        </textarea>
      ) : (
        <input {...common} {...inputOf(item)} value={text} />
      )}
    </Labelled>
  )
}

const Select = ({ item, of }: OfferedProps) => {
  const { id, name, given, described } = useField(item)
  return (
    <Labelled item={item}>
      <select id={id} name={name} required={item.required} {...described}>
        <Options of={[["", useTexts().words.choose], ...of]} chosen={given[0] ?? ""} />
      </select>
    </Labelled>
  )
}

const Question = ({ item }: ItemProps) => {
  const say = useSay()
  const { yes, no } = useTexts().words
  const options = item.options.map(({ code, text }) => [code, say(text)] as const)
  if (!useContext(CurrentForm).enabled.has(item.link_id)) return null
  switch (item.type) {
    case "display":
      return <p class="lines">{say(item.text)}</p>
    case "group":
      return (
        <fieldset class="consents">
          <legend>{say(item.text)}</legend>
          <Questions items={item.items} />
        </fieldset>
      )
    case "file":
      return <Files item={item} />
    case "boolean": {
      const either = [["yes", yes] as const, ["no", no] as const]
      return <Offered item={item} of={either} />
    }
    case "choice":
      return item.repeats || options.length <= SIDE_BY_SIDE ? (
        <Offered item={item} of={options} />
      ) : (
        <Select item={item} of={options} />
      )
    default:
      return <Field item={item} />
  }
}

const Questions = ({ items }: { readonly items: ReadonlyArray<FormItem> }) =>
  items.map((item) => <Question key={item.link_id} item={item} />)

/** The questions of a form that are asked now. */
export const AskedQuestions = ({ of, items }: { readonly of: Asking; readonly items: ReadonlyArray<FormItem> }) => (
  <CurrentForm.Provider value={of}>
    <Questions items={items} />
  </CurrentForm.Provider>
)

/** The link_ids of what is asked: what is new after the answers is shown next. */
const askedOf = (enabled: Asking["enabled"], items: ReadonlyArray<FormItem>): ReadonlyArray<string> =>
  items.flatMap(({ link_id, items }) => (enabled.has(link_id) ? [link_id, ...askedOf(enabled, items)] : []))

interface ScreenProps {
  readonly title: FormText
  readonly items: ReadonlyArray<FormItem>
  readonly asking: Asking
  /** Its number from 1 on, and how many there are. */
  readonly at: number
  readonly of: number
  readonly post: string
  readonly notice: QuestionNotice | null
}

/** One screen of a form. */
export const ScreenPage = ({ title, items, asking, at, of, post, notice }: ScreenProps) => {
  const texts = useTexts()
  const say = useSay()
  const group = items.length === 1 ? items.find(({ type }) => type === "group") : undefined
  const step = fill(texts.step, { n: String(at), of: String(of) })
  return (
    <div class="card">
      {of > 1 ? <p class="help">{group === undefined ? step : `${say(title)} · ${step}`}</p> : null}
      <h1>{say(group?.text ?? title)}</h1>
      {notice === null ? null : <Said isProblem={notice !== "more"} text={texts.notices[notice]} />}
      <form method="post" action={post} enctype="multipart/form-data" class="stack">
        <input type="hidden" name="shown" value={askedOf(asking.enabled, items).join(" ")} />
        {/* what Enter presses: not the first button in sight, which may take a file back */}
        <button type="submit" hidden name="action" value="next">
          {texts.next}
        </button>
        <AskedQuestions of={asking} items={group?.items ?? items} />
        <Unreachable />
        <div class="actions">
          <Act does="next" text={texts.next} arrow />
          {at !== 1 ? (
            <button type="submit" class="quiet" name="action" value="back" formnovalidate>
              {texts.words.back}
            </button>
          ) : null}
        </div>
      </form>
    </div>
  )
}

interface SummaryProps extends Pick<ScreenProps, "title" | "asking" | "notice"> {
  readonly screens: ReadonlyArray<{
    readonly address: string
    readonly items: ReadonlyArray<FormItem>
  }>
  /** null: it cannot be sent any more */
  readonly post: string | null
  /** what the form is stored for, and the button that sends it */
  readonly send: string
  readonly help: string | undefined
}

/** What was answered, to be checked before it is sent. */
export const SummaryPage = ({ title, screens, asking, post, notice, send, help }: SummaryProps) => {
  const language = useLanguage()
  const texts = useTexts()
  const say = useSay()
  const nameOf = (file: string) => asking.files.find(({ uid }) => uid === file)?.name
  return (
    <div class="card">
      <p class="help">{say(title)}</p>
      <h1>{post === null ? texts.answers : texts.check}</h1>
      {notice === null ? null : <Said isProblem text={texts.notices[notice]} />}
      {screens.map(({ address, items }) => (
        <div key={address} class="stack">
          <dl class="facts">
            {items.map((item) => (
              <div key={item.link_id}>
                <dt>{say(item.text)}</dt>
                <dd class="lines">
                  {asking
                    .texts(item)
                    .map((text) => saidOf(item, text, language, texts.words, nameOf))
                    .join("\n") || texts.words.none}
                </dd>
              </div>
            ))}
          </dl>
          {post === null || items[0] === undefined ? null : (
            <p>
              <a href={address}>
                {texts.words.change}
                <span class="unseen">: {say(items[0].text)}</span>
              </a>
            </p>
          )}
        </div>
      ))}
      {help === undefined ? null : <p>{help}</p>}
      {post === null ? null : (
        <PostForm action={post}>
          <div class="actions">
            <Act does="send" text={send} arrow />
          </div>
        </PostForm>
      )}
    </div>
  )
}

interface OutcomeProps {
  readonly title: string
  readonly text: string | null
  readonly isDone?: boolean
  readonly contact?: boolean
  /** how the first of the links looks; "secondary": all of them */
  readonly look?: "primary" | "secondary"
  readonly links: ReadonlyArray<readonly [address: string, text: string]>
}

/** What the answers led to, and what to do next. */
export const OutcomePage = ({ title, text, isDone, contact, look = "primary", links }: OutcomeProps) => (
  <div class="card plain">
    {isDone ? <DoneMark /> : null}
    <h1>{title}</h1>
    {text === null ? null : <p class="lines">{text}</p>}
    {contact ? <ContactPractice /> : null}
    <div class="actions">
      {links.map(([address, name], at) => (
        <a key={address} class={at === 0 || look === "secondary" ? look : "quiet"} href={address}>
          {name}
        </a>
      ))}
    </div>
  </div>
)
