import type { ComponentChildren } from "preact"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { Act, Choice, DoneMark, Options, PostForm, Said, Unreachable } from "../../../pages/views/forms.tsx"
import { useLanguage } from "../../../pages/views/pageLanguage.ts"
import { fill } from "../../../texts/fill.ts"
import { localeOf } from "../../../texts/language.ts"
import type { FormItem, FormText } from "../schemas/Form.ts"
import type { FormFile } from "../schemas/TypeFields.ts"
import { textIn } from "../services/engine.ts"
import { questionTexts } from "../texts/questions.ts"

export type QuestionNotice = keyof ReturnType<typeof questionTexts>["notices"]

export interface ScreenData {
  readonly title: FormText
  readonly items: ReadonlyArray<FormItem>
  readonly enabled: ReadonlySet<string>
  /** The texts of an item's fields. */
  readonly texts: (item: FormItem) => ReadonlyArray<string>
  readonly fault: (item: FormItem) => "required" | "invalid" | null
  readonly files: ReadonlyArray<FormFile>
  /** Its number from 1 on, and how many there are. */
  readonly at: number
  readonly of: number
  readonly post: string
  readonly notice: QuestionNotice | null
  readonly hasBack: boolean
}

const useTexts = () => questionTexts(useLanguage())
const useSay = () => {
  const language = useLanguage()
  return (text: FormText) => textIn(text, language, "de")
}

interface ItemProps {
  readonly data: ScreenData
  readonly item: FormItem
}

/** Most options that are shown side by side: more are a list to choose from. */
const SIDE_BY_SIDE = 8

const nameOf = ({ link_id }: FormItem) => `a.${link_id}`
const idOf = ({ link_id }: FormItem) => `q-${link_id}`

const Label = ({ item }: { readonly item: FormItem }) => (
  <>
    {useSay()(item.text)}
    {item.required ? null : ` ${useTexts().optional}`}
  </>
)

const Fault = ({ data, item }: ItemProps) => {
  const fault = data.fault(item)
  return fault === null ? null : (
    <p id={`${idOf(item)}-fault`} class="fault">
      {useTexts().faults[fault]}
    </p>
  )
}

const described = ({ data, item }: ItemProps, help = false) => {
  const by = [
    ...(help ? [`${idOf(item)}-help`] : []),
    ...(data.fault(item) === null ? [] : [`${idOf(item)}-fault`])
  ].join(" ")
  return {
    ...(by !== "" && { "aria-describedby": by }),
    ...(data.fault(item) !== null && { "aria-invalid": "true" as const })
  }
}

/** A field with its label above it, and what is wrong with it below. */
const Labelled = ({ data, item, children }: ItemProps & { readonly children: ComponentChildren }) => (
  <div class="field">
    <label for={idOf(item)}>
      <Label item={item} />
    </label>
    {children}
    <Fault data={data} item={item} />
  </div>
)

/** One of several answers, or some of them. */
const Offered = ({
  data,
  item,
  of
}: ItemProps & { readonly of: ReadonlyArray<readonly [value: string, text: string]> }) => {
  const chosen = data.texts(item)
  return (
    <fieldset class="consents" id={idOf(item)} tabindex={-1} {...described({ data, item })}>
      <legend>
        <Label item={item} />
      </legend>
      {of.map(([value, text]) => (
        <Choice
          key={value}
          type={item.repeats ? "checkbox" : "radio"}
          name={nameOf(item)}
          value={value}
          required={item.required && !item.repeats}
          checked={chosen.includes(value)}
        >
          {text}
        </Choice>
      ))}
      <Fault data={data} item={item} />
    </fieldset>
  )
}

const Files = ({ data, item }: ItemProps) => {
  const { files: texts, states } = useTexts()
  const uids = data.texts(item)
  return (
    <Labelled data={data} item={item}>
      {data.files
        .filter(({ uid }) => uids.includes(uid))
        .map(({ uid, name, status }) => (
          <p key={uid} class="notice">
            <bdi>{name}</bdi>
            {status === "clean" ? null : ` (${states[status]})`}{" "}
            <button type="submit" class="quiet" name="remove" value={`${item.link_id} ${uid}`} formnovalidate>
              {fill(texts.remove, { name })}
            </button>
          </p>
        ))}
      {item.repeats || uids.length === 0 ? (
        <>
          <p id={`${idOf(item)}-help`} class="help">
            {texts.help}
          </p>
          <input
            type="file"
            id={idOf(item)}
            name={nameOf(item)}
            accept="application/pdf,image/jpeg,image/png"
            {...described({ data, item }, true)}
          />
          <Act does="add" look="secondary" text={texts.add} />
        </>
      ) : null}
    </Labelled>
  )
}

const Field = ({ data, item }: ItemProps) => {
  const texts = useTexts()
  const [text = ""] = data.texts(item)
  const common = { id: idOf(item), name: nameOf(item), required: item.required, ...described({ data, item }) }
  const number = item.type === "integer" || item.type === "decimal"
  const longest = item.max_length ?? (item.type === "text" ? 2_000 : 255)
  return (
    <Labelled data={data} item={item}>
      {item.repeats ? (
        <>
          <p id={`${common.id}-help`} class="help">
            {texts.lines}
          </p>
          <textarea {...common} {...described({ data, item }, true)} rows={3}>
            {data.texts(item).join("\n")}
          </textarea>
        </>
      ) : item.type === "text" ? (
        <textarea {...common} rows={4} maxlength={longest}>
          {text}
        </textarea>
      ) : item.type === "date" ? (
        <input {...common} type="date" value={text} />
      ) : number ? (
        <input
          {...common}
          type="text"
          inputmode={item.type === "integer" && (item.min ?? -1) >= 0 ? "numeric" : "decimal"}
          maxlength={20}
          value={text}
        />
      ) : (
        <input {...common} type="text" maxlength={longest} value={text} />
      )}
    </Labelled>
  )
}

const Question = ({ data, item }: ItemProps) => {
  const say = useSay()
  const texts = useTexts()
  if (!data.enabled.has(item.link_id)) return null
  if (item.type === "display") return <p class="lines">{say(item.text)}</p>
  if (item.type === "group")
    return (
      <fieldset class="consents">
        <legend>{say(item.text)}</legend>
        <Questions data={data} items={item.items} />
      </fieldset>
    )
  if (item.type === "file") return <Files data={data} item={item} />
  if (item.type === "boolean")
    return (
      <Offered
        data={data}
        item={item}
        of={[
          ["yes", texts.words.yes],
          ["no", texts.words.no]
        ]}
      />
    )
  const options = item.options.map(({ code, text }) => [code, say(text)] as const)
  if (item.type !== "choice") return <Field data={data} item={item} />
  if (item.repeats || options.length <= SIDE_BY_SIDE) return <Offered data={data} item={item} of={options} />
  return (
    <Labelled data={data} item={item}>
      <select id={idOf(item)} name={nameOf(item)} required={item.required} {...described({ data, item })}>
        <Options of={[["", texts.words.choose], ...options]} chosen={data.texts(item)[0] ?? ""} />
      </select>
    </Labelled>
  )
}

export const Questions = ({ data, items }: { readonly data: ScreenData; readonly items: ScreenData["items"] }) =>
  items.map((item) => <Question key={item.link_id} data={data} item={item} />)

/** The link_ids of what is asked: what is new after the answers is shown next. */
const asked = (data: ScreenData, items: ScreenData["items"]): ReadonlyArray<string> =>
  items.flatMap((item) => (data.enabled.has(item.link_id) ? [item.link_id, ...asked(data, item.items)] : []))

/** One screen of a form. */
export const ScreenPage = ({ data }: { readonly data: ScreenData }) => {
  const texts = useTexts()
  const say = useSay()
  const [first] = data.items
  const isGroup = data.items.length === 1 && first?.type === "group"
  const step = fill(texts.step, { n: String(data.at), of: String(data.of) })
  return (
    <div class="card">
      {data.of > 1 ? <p class="help">{isGroup ? `${say(data.title)} · ${step}` : step}</p> : null}
      <h1>{say(isGroup && first !== undefined ? first.text : data.title)}</h1>
      {data.notice === null ? null : <Said isProblem={data.notice !== "more"} text={texts.notices[data.notice]} />}
      <form method="post" action={data.post} enctype="multipart/form-data" class="stack">
        <input type="hidden" name="shown" value={asked(data, data.items).join(" ")} />
        {/* what Enter presses: not the first button in sight, which may take a file back */}
        <button type="submit" hidden name="action" value="next">
          {texts.next}
        </button>
        <Questions data={data} items={isGroup && first !== undefined ? first.items : data.items} />
        <Unreachable />
        <div class="actions">
          <Act does="next" text={texts.next} arrow />
          {data.hasBack ? (
            <button type="submit" class="quiet" name="action" value="back" formnovalidate>
              {texts.words.back}
            </button>
          ) : null}
        </div>
      </form>
    </div>
  )
}

export interface SummaryData {
  readonly title: FormText
  readonly screens: ReadonlyArray<{
    readonly address: string
    readonly items: ReadonlyArray<FormItem>
  }>
  readonly texts: (item: FormItem) => ReadonlyArray<string>
  readonly files: ReadonlyArray<FormFile>
  /** null: it cannot be sent any more */
  readonly post: string | null
  readonly notice: QuestionNotice | null
  /** what the form is stored for, and the button that sends it */
  readonly send: string
  readonly help: string | null
  readonly children?: ComponentChildren
}

/** What was answered, to be checked before it is sent. */
export const SummaryPage = ({ data }: { readonly data: SummaryData }) => {
  const language = useLanguage()
  const texts = useTexts()
  const say = useSay()
  const shown = (item: FormItem): string => {
    const given = data.texts(item)
    const one = (text: string) => {
      if (item.type === "boolean") return text === "yes" ? texts.words.yes : texts.words.no
      if (item.type === "choice") return say(item.options.find(({ code }) => code === text)?.text ?? text)
      if (item.type === "file") return data.files.find(({ uid }) => uid === text)?.name ?? ""
      if (item.type === "date")
        return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "long", timeZone: "UTC" }).format(
          Date.parse(text)
        )
      return item.type === "decimal"
        ? Number(text).toLocaleString(localeOf(language), { maximumFractionDigits: 20 })
        : text
    }
    return given.length === 0 ? texts.words.none : given.map(one).join("\n")
  }
  return (
    <div class="card">
      <p class="help">{say(data.title)}</p>
      <h1>{data.post === null ? texts.answers : texts.check}</h1>
      {data.notice === null ? null : <Said isProblem text={texts.notices[data.notice]} />}
      {data.screens.map(({ address, items }) => (
        <div key={address} class="stack">
          <dl class="facts">
            {items.map((item) => (
              <div key={item.link_id}>
                <dt>{say(item.text)}</dt>
                <dd class="lines">{shown(item)}</dd>
              </div>
            ))}
          </dl>
          {data.post === null || items[0] === undefined ? null : (
            <p>
              <a href={address}>
                {texts.words.change}
                <span class="unseen">: {say(items[0].text)}</span>
              </a>
            </p>
          )}
        </div>
      ))}
      {data.help === null ? null : <p>{data.help}</p>}
      {data.post === null ? null : (
        <PostForm action={data.post}>
          <div class="actions">
            <Act does="send" text={data.send} arrow />
          </div>
        </PostForm>
      )}
      {data.children}
    </div>
  )
}

interface OutcomeProps {
  readonly title: string
  readonly text: string
  readonly isDone?: boolean
  readonly contact?: boolean
  /** how the first of the links looks; "secondary": all of them */
  readonly look?: "primary" | "secondary"
  readonly links: ReadonlyArray<readonly [address: string, text: string]>
}

/** What the answers led to, and what to do next. */
export const OutcomePage = ({
  title,
  text,
  isDone = false,
  contact = false,
  look = "primary",
  links
}: OutcomeProps) => (
  <div class="card plain">
    {isDone ? <DoneMark /> : null}
    <h1>{title}</h1>
    <p class="lines">{text}</p>
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
