/** The context of a page of staff, for all of its parts; its head, its cards, and the forms that call the interface. */
import { type ComponentChildren, type ComponentType, createContext, type HTMLInputTypeAttribute } from "preact"
import { useContext, useId } from "preact/hooks"
import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"
import type { CalendarSubject } from "../schemas/Calendar.ts"
import { deskTextsOf } from "../texts/desk.ts"
import type { AddedCardProps, AddedCards, AddedNames, NamedPeriod } from "./added.ts"

/** An error of the interface, for the form that caused it. */
export interface Problem {
  readonly code: string
  /** What is wrong with which field, in the page's language. */
  readonly faults: ReadonlyArray<{ readonly field: string; readonly text: string }>
  readonly operation: string
}

export interface DeskFrame {
  readonly language: Language
  /** Path of the workspace's pages. */
  readonly workspace: string
  /** Path of the practice's pages. */
  readonly practice: string
  readonly csrf: string
  /** The page's own URL, to which forms return. */
  readonly address: string
  /** Time zone in which times are shown and entered. */
  readonly zone: string
  readonly problem: Problem | null
  /** Whether the person has every right of the practice; false in other workspaces. */
  readonly isOwner: boolean
  /** The entered values of the rejected form. */
  readonly typed: (name: string) => ReadonlyArray<string> | undefined
  /** The tag of a record that the page has read, by its path in the interface. */
  readonly versionOf: (path: string) => string | undefined
  /** The labels of the page's fields by their names, collected while it is rendered: for the reasons of a refusal. */
  readonly labels: Map<string, string>
  /** Of each capability that is on. */
  readonly cards: ReadonlyArray<AddedCards>
  /** Names of records and actions of the capabilities that are on. */
  readonly names: AddedNames
  /** What belongs in empty lists, by name. */
  readonly empty: Readonly<Record<string, EmptyText>>
  /** The text of an error code. */
  readonly reasonOf: (code: string) => string
  /** What capabilities show in a column of the practice's calendar. */
  readonly inCalendar: (subject: CalendarSubject) => ReadonlyArray<NamedPeriod>
}

export const Desk = createContext<DeskFrame>({
  language: "de",
  workspace: "",
  practice: "",
  csrf: "",
  address: "",
  zone: "Europe/Berlin",
  problem: null,
  isOwner: false,
  typed: () => undefined,
  versionOf: () => undefined,
  labels: new Map(),
  cards: [],
  names: { records: {}, actions: {} },
  empty: {},
  reasonOf: (code) => code,
  inCalendar: () => []
})

/** The cards that capabilities add here. */
export const Added = <Place extends keyof AddedCards>({
  at,
  ...props
}: { readonly at: Place } & AddedCardProps[Place]) => (
  <>
    {useDesk().cards.map((cards, index) => {
      const Card = cards[at] as ComponentType<AddedCardProps[Place]> | undefined // of this place
      return Card === undefined ? null : <Card key={index} {...(props as unknown as AddedCardProps[Place])} />
    })}
  </>
)

export const useDesk = () => useContext(Desk)
export const useTexts = () => deskTextsOf(useDesk().language)

/** The operation of the form around a field; null outside of a form. */
const FormOperation = createContext<string | null>(null)

/** Whether the page shows the refusal of this operation: what hides its form is then open. */
export const useIsRefused = (...operations: ReadonlyArray<string>) => {
  const { problem } = useDesk()
  return problem !== null && operations.includes(problem.operation)
}

/** The refusal of the form around a field: the entered value, and what is wrong with it. */
const useRefusal = (name: string) => {
  const { problem, typed } = useDesk()
  if (problem === null || problem.operation !== useContext(FormOperation)) return null
  const entered = typed(name)
  const isOwn = ({ field }: { readonly field: string }) => field === fieldOf(name)
  return {
    /** Undefined for a field that was not sent, such as an empty checkbox, and for one of several of the same name. */
    entered: entered !== undefined && entered.length > 1 ? undefined : entered?.[0],
    isSingle: entered === undefined || entered.length === 1,
    isConflict: problem.code === "precondition_failed",
    faults: problem.faults.filter(isOwn).map(({ text }) => text)
  }
}

/** For a field outside of its form's element: the entered value if this operation was rejected, else the stored value. */
export const useFormValues = (operation: string) => {
  const { problem, typed } = useDesk()
  return (name: string, value: string | number | null | undefined) =>
    (problem?.operation === operation ? typed(name)?.at(-1) : undefined) ?? value ?? undefined
}

/** What was typed into the form of this operation, whose list one of its buttons has changed; undefined where that is not so. */
const useUnsent = (operation: string) => {
  const { problem, typed } = useDesk()
  const isIt = problem === null && typed("@operation")?.[0] === operation
  return (name: string) => (isIt ? typed(name)?.at(-1) : undefined)
}

/** The interface's name of a field: without the format in which people enter it. */
const fieldOf = (name: string) => name.split("@")[0] ?? name

type HiddenFields = Readonly<Record<string, string | number | null | undefined>>

/** Fields that are sent without being shown; those without a value are left out. */
export const Hidden = ({ fields }: { readonly fields: HiddenFields }) =>
  Object.entries(fields).map(([name, value]) =>
    value === null || value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />
  )

/** The values in a value, by their place in it. */
const valuesIn = (value: unknown, place: string): ReadonlyArray<readonly [place: string, text: string]> => {
  if (value === null || value === undefined) return []
  if (typeof value !== "object") return [[place, String(value)]]
  return Object.entries(value).flatMap(([name, one]) => valuesIn(one, `${place}.${name}`))
}

/** The fields of a value, by their names. */
export const fieldsIn = (name: string, value: unknown): HiddenFields => Object.fromEntries(valuesIn(value, name))

/** The hidden fields of a list that is replaced as a whole, such as `limits.0.max`; an empty field, if it has no entry. */
export const listFields = (name: string, list: ReadonlyArray<object>): HiddenFields =>
  list.length === 0 ? { [name]: "" } : fieldsIn(name, list)

interface DoProps {
  /** The operation of the interface, `POST /v1/…`, with its path parameters filled in. */
  readonly operation: string
  readonly hidden?: HiddenFields
  /** Field of the response that is shown once, e.g. a new key. */
  readonly show?: string
  /** Target of the redirect; by default this page. */
  readonly back?: string
  /** By default `stack`. */
  readonly class?: string
  readonly id?: string
  readonly children?: ComponentChildren
  readonly label?: string | undefined
  /** Typed text is saved after a pause, and before another form or a link leads away; then this is said below the form. */
  readonly saves?: string
  /** Path of the workspace that receives the form; default `do`, which sends the operation. */
  readonly to?: string
  /** The records of its list, in order: what was typed belongs to these. Default: the form has no list that its buttons change. */
  readonly list?: string
}

/** A form whose fields are the request body of an operation. */
export const Do = ({
  operation,
  hidden = {},
  show,
  back,
  class: kind = "stack",
  id,
  children,
  label,
  saves,
  to = "do",
  list
}: DoProps) => {
  const { workspace, csrf, address, zone, versionOf } = useDesk()
  const unsent = useUnsent(operation)
  const [method, path = ""] = operation.split(" ")
  const version = method === "POST" ? undefined : (unsent("@version") ?? versionOf(path.split("?")[0] ?? path))
  const own = {
    "@csrf": csrf,
    "@operation": operation,
    "@back": back ?? address,
    // a refusal is shown where the form is
    "@page": back === undefined ? undefined : address,
    "@zone": zone,
    "@show": show,
    "@version": version
  }
  return (
    <form
      method="post"
      action={`${workspace}/${to}`}
      id={id}
      class={kind}
      aria-label={label}
      data-saves={saves}
      data-list={list}
      data-unsent={unsent("@operation") === undefined ? undefined : ""}
    >
      <Hidden fields={{ ...own, ...hidden }} />
      <FormOperation.Provider value={operation}>{children}</FormOperation.Provider>
      {saves === undefined ? null : <p class="help" role="status" data-saved />}
    </form>
  )
}

interface PageHeadProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** The heading of a page, with what stands next to it. */
export const PageHead = ({ title, children }: PageHeadProps) => (
  <header class="page-head">
    <h1>{title}</h1>
    {children}
  </header>
)

interface CardProps extends PageHeadProps {
  /** Of the heading, unique in the page. */
  readonly id: string
  /** On a phone it shows its heading alone until that is pressed. */
  readonly folds?: boolean
}

/** A part of a page under its own heading. */
export const Card = ({ id, title, folds = false, children }: CardProps) => (
  <section class={folds ? "card folds" : "card"} aria-labelledby={id}>
    <h2 id={id}>{folds ? <a href={`#${id}`}>{title}</a> : title}</h2>
    {children}
  </section>
)

interface EmptyText {
  readonly text: string
  readonly action?: string
}

interface EmptyProps {
  /** `filtered`: nothing fits the selection. */
  readonly what: keyof EmptyLists | (EmptyText & { readonly name: string })
  /** Where it can be done; by default without a link. */
  readonly to?: string | undefined
}

/** Lists whose texts the frame has, by name: declared where the frame is made. */
export interface EmptyLists {
  readonly filtered: unknown
}

/** What belongs in an empty list, and how it gets there. */
export const Empty = ({ what, to }: EmptyProps) => {
  const { empty } = useDesk()
  const { filtered } = useTexts().empty
  const { name, text, action } = typeof what === "string" ? { name: what, ...(empty[what] ?? filtered) } : what
  return (
    <p class="help" data-empty={name}>
      {text}
      {to === undefined ? null : (
        <>
          {" "}
          <a href={to}>{action}</a>
        </>
      )}
    </p>
  )
}

interface RowsProps<A> {
  readonly of: ReadonlyArray<A>
  readonly empty: EmptyProps
  readonly children: (one: A, index: number) => ComponentChildren
}

/** A list, or what belongs there. */
export const Rows = <A,>({ of, empty, children }: RowsProps<A>) =>
  of.length === 0 ? <Empty {...empty} /> : <ul class="rows">{of.map(children)}</ul>

interface SubmitProps {
  readonly text: string
  readonly look?: "primary" | "secondary" | "quiet" | "primary danger"
  readonly label?: string | undefined
}

/** The button that sends a form. */
export const Submit = ({ text, look = "primary", label }: SubmitProps) => (
  <button type="submit" class={look} aria-label={label}>
    {text}
  </button>
)

interface PressProps extends DoProps, SubmitProps {}

/** A form with only a button, which calls an operation. The button has the label: two forms of one name would be no landmarks. */
export const Press = ({ text, look = "secondary", label, ...form }: PressProps) => (
  <Do {...form} class="press">
    {form.children}
    <Submit text={text} look={look} label={label} />
  </Do>
)

interface AskProps extends PressProps {
  /** By default the label, and that it cannot be undone. */
  readonly question?: string
}

/** A button that opens a question, which names what is lost: for what cannot be undone. */
export const Ask = ({ text, label, question, ...form }: AskProps) => {
  const { frame } = useTexts()
  const isRefused = useIsRefused(form.operation)
  return (
    <details open={isRefused}>
      <summary aria-label={label}>{`${text} …`}</summary>
      <Do {...form}>
        <p>{question ?? fill(frame.lost, { what: label ?? text })}</p>
        <Submit text={text} label={label} look="primary danger" />
      </Do>
    </details>
  )
}

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly type?: HTMLInputTypeAttribute
  readonly value?: string | number | null | undefined
  readonly required?: boolean
  readonly help?: string | undefined
  readonly min?: number
  readonly max?: number
  readonly options?: ReadonlyArray<readonly [value: string, text: string]>
  readonly rows?: number
  readonly placeholder?: string
  /** A regular expression that the whole text has to match. */
  readonly pattern?: string
  /** Kinds of files, e.g. `application/pdf`. */
  readonly accept?: string
  /** Whether the page begins there. */
  readonly autofocus?: boolean
}

/** A label with its field. After a refusal it has what was entered, and says what is wrong with it or what is stored by now. */
export const Field = ({ label, name, type = "text", value, required, help, options, rows, ...more }: FieldProps) => {
  const id = useId()
  const { problems, frame } = useTexts()
  const refusal = useRefusal(name)
  useDesk().labels.set(fieldOf(name), label)
  const stored = String(value ?? "")
  const entered = type === "checkbox" && refusal?.isSingle ? (refusal.entered ?? "") : refusal?.entered
  const shown = entered ?? value ?? undefined
  const textOf = (text: string) =>
    options?.find(([key]) => key === text)?.[1] ??
    (type === "checkbox" ? (text === "true" ? frame.yes : frame.no) : text || problems.nothing)
  const notes = [
    ...(refusal?.faults ?? []),
    ...(refusal?.isConflict && entered !== undefined && entered !== stored
      ? [fill(problems.meanwhile, { value: textOf(stored) })]
      : [])
  ]
  const own = {
    id,
    name,
    required,
    "aria-invalid": notes.length > 0 ? ("true" as const) : undefined,
    "aria-describedby": notes.length > 0 ? `${id}-notes` : undefined
  }
  /** The input types have separate props types; this is their union. */
  const input: object = { ...own, type, value: shown, ...more }
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {options !== undefined ? (
        <select {...own}>
          {options.map(([key, text]) => (
            <option key={key} value={key} selected={String(shown ?? "") === key}>
              {text}
            </option>
          ))}
        </select>
      ) : rows !== undefined ? (
        <textarea {...own} rows={rows} placeholder={more.placeholder}>
          {shown}
        </textarea>
      ) : type === "checkbox" ? (
        <input {...own} type="checkbox" value="true" checked={shown === "true"} />
      ) : (
        <input {...input} />
      )}
      {notes.length === 0 ? null : (
        <small id={`${id}-notes`} class="fault">
          {notes.join(" ")}
        </small>
      )}
      {help === undefined ? null : <small class="help">{help}</small>}
    </div>
  )
}

/** A label with a choice of yes and no. */
export const YesNoField = ({
  value,
  ...field
}: Omit<FieldProps, "value" | "options"> & { readonly value: boolean }) => {
  const { frame } = useTexts()
  return (
    <Field
      {...field}
      value={String(value)}
      options={[
        ["true", frame.yes],
        ["false", frame.no]
      ]}
    />
  )
}

/** A link to this page with a changed query. */
export const useAddress = () => {
  const { address } = useDesk()
  return (changes: Readonly<Record<string, string | number | null | undefined>>) => {
    const [path = "", query = ""] = address.split("?")
    const parameters = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes))
      if (value === null || value === undefined || value === "") parameters.delete(name)
      else parameters.set(name, String(value))
    const text = parameters.toString()
    return text === "" ? path : `${path}?${text}`
  }
}
