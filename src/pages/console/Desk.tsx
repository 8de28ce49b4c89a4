/** What every part of a console page knows of the page it stands on, and the forms that ask the interface. */
import { type ComponentChildren, createContext } from "preact"
import { useContext, useId } from "preact/hooks"
import { type ConsoleTexts, consoleTexts } from "../../texts/console/catalogue.ts"
import type { Language } from "../../texts/language.ts"

/** A refusal of the interface, for the form that was sent. */
export interface Problem {
  readonly code: string
  readonly details: ReadonlyArray<string>
  readonly operation: string
}

export interface DeskFrame {
  readonly language: Language
  readonly workspace: string
  readonly csrf: string
  /** This page's own address, where a form leads back to. */
  readonly address: string
  /** Time zone in which times are shown and typed. */
  readonly zone: string
  readonly problem: Problem | null
  /** What was typed into the refused form. */
  readonly typed: (name: string) => string | undefined
}

export const Desk = createContext<DeskFrame>({
  language: "de",
  workspace: "",
  csrf: "",
  address: "",
  zone: "Europe/Berlin",
  problem: null,
  typed: () => undefined
})

export const useDesk = () => useContext(Desk)
export const useTexts = (): ConsoleTexts => consoleTexts(useDesk().language)

/** What was typed where this operation was refused, else the value that is there. */
export const useFormValues = (operation: string) => {
  const { problem, typed } = useDesk()
  return (name: string, value: string | number | null | undefined) =>
    (problem?.operation === operation ? typed(name) : undefined) ?? value ?? undefined
}

interface DoProps {
  /** `POST /v1/…`: an operation of the interface, with the names of its records filled in. */
  readonly operation: string
  readonly hidden?: Readonly<Record<string, string | number | null | undefined>>
  /** Field of the answer that is shown once, e.g. a new key. */
  readonly show?: string
  /** Where to lead afterwards; by default back to this page. */
  readonly back?: string
  readonly class?: string
  readonly id?: string
  readonly children?: ComponentChildren
  readonly label?: string
}

/** A form whose fields are the body of an operation of the interface. */
export const Do = ({ operation, hidden = {}, show, back, class: kind, id, children, label }: DoProps) => {
  const { workspace, csrf, address, zone } = useDesk()
  const own = { "@csrf": csrf, "@operation": operation, "@back": back ?? address, "@zone": zone, "@show": show }
  return (
    <form method="post" action={`/console/${workspace}/do`} id={id} class={kind} aria-label={label}>
      {Object.entries({ ...own, ...hidden }).map(([name, value]) =>
        value === null || value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />
      )}
      {children}
    </form>
  )
}

interface PressProps extends DoProps {
  readonly text: string
  readonly look?: "primary" | "secondary" | "quiet" | "primary danger"
}

/** A button that asks for one operation. */
export const Press = ({ text, look = "secondary", ...form }: PressProps) => (
  <Do {...form} class="press">
    {form.children}
    <button type="submit" class={look} aria-label={form.label}>
      {text}
    </button>
  </Do>
)

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly type?:
    | "text"
    | "checkbox"
    | "date"
    | "datetime-local"
    | "email"
    | "file"
    | "number"
    | "search"
    | "tel"
    | "time"
    | "url"
  readonly value?: string | number | undefined
  readonly required?: boolean
  readonly help?: string
  readonly min?: number
  readonly max?: number
  readonly options?: ReadonlyArray<readonly [value: string, text: string]>
  readonly rows?: number
  readonly placeholder?: string
}

/** A label with its field. */
export const Field = ({ label, name, type = "text", value, required, help, options, rows, ...more }: FieldProps) => {
  const id = useId()
  const own = { id, name, required }
  /** The kinds of input have types of their own; this one is any of them. */
  const input: object = { ...own, type, value, ...more }
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {options !== undefined ? (
        <select {...own}>
          {options.map(([key, text]) => (
            <option key={key} value={key} selected={String(value ?? "") === key}>
              {text}
            </option>
          ))}
        </select>
      ) : rows !== undefined ? (
        <textarea {...own} rows={rows} placeholder={more.placeholder}>
          {value}
        </textarea>
      ) : type === "checkbox" ? (
        <input {...own} type="checkbox" value="true" checked={value === "true"} />
      ) : (
        <input {...input} />
      )}
      {help === undefined ? null : <small class="help">{help}</small>}
    </div>
  )
}

/** A link to this page with other parts of its query. */
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
