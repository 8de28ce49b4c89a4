import type { ComponentChildren } from "preact"
import { ArrowIcon, CheckIcon } from "./icons.tsx"
import { useTexts } from "./pageLanguage.ts"

/** In every form: shown if it could not be sent. */
export const Unreachable = () => (
  <p class="notice warn" tabindex={-1} data-unreachable hidden>
    {useTexts().page.unreachable}
  </p>
)

interface PostFormProps {
  readonly action: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A form that is posted to an address. */
export const PostForm = ({ action, class: look = "stack", children }: PostFormProps) => (
  <form method="post" action={action} class={look}>
    {children}
    <Unreachable />
  </form>
)

interface ActProps {
  /** the form's `action` when it is pressed */
  readonly does: string
  readonly look?: string
  readonly id?: string
  readonly text: string
  /** before the text */
  readonly icon?: ComponentChildren
  readonly arrow?: boolean
}

/** One of the buttons of a form. */
export const Act = ({ does, look = "primary", id, text, icon, arrow }: ActProps) => (
  <button type="submit" id={id} class={look} name="action" value={does}>
    {icon}
    {text}
    {arrow ? <ArrowIcon /> : null}
  </button>
)

/** The only button of a form. */
export const OnlyAct = (props: ActProps) => (
  <div class="actions">
    <Act {...props} />
  </div>
)

interface OptionsProps {
  readonly of: ReadonlyArray<readonly [value: string | number, text: string]>
  readonly chosen?: string | number | null | undefined
}

export const Options = ({ of, chosen }: OptionsProps) =>
  of.map(([value, text]) => (
    <option key={value} value={value} selected={value === chosen}>
      {text}
    </option>
  ))

interface SelectFieldProps extends OptionsProps {
  readonly name: string
  readonly label: string
}

export const SelectField = ({ name, label, ...options }: SelectFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <Options {...options} />
    </select>
  </div>
)

interface DoctorFieldProps {
  readonly of: ReadonlyArray<{ readonly doctor_uid: string; readonly doctor_name: string }>
  readonly chosen?: string | null | undefined
}

/** One of several doctors, or any. */
export const DoctorField = ({ of, chosen }: DoctorFieldProps) => {
  const { doctor, anyDoctor } = useTexts().booking
  const doctors = of.map(({ doctor_uid, doctor_name }) => [doctor_uid, doctor_name] as const)
  return of.length < 2 ? null : (
    <SelectField name="doctor" label={doctor} of={[["", anyDoctor], ...doctors]} chosen={chosen} />
  )
}

const kinds = { checkbox: { type: "checkbox" }, radio: { type: "radio" } } as const

interface ChoiceProps {
  readonly type: keyof typeof kinds
  readonly name: string
  readonly value: string | number
  readonly required?: boolean
  readonly checked?: boolean
  readonly children: ComponentChildren
}

/** A box to tick, or one of several to choose from. */
export const Choice = ({ type, children, ...input }: ChoiceProps) => (
  <label class="consent">
    <input {...kinds[type]} {...input} />
    <span>{children}</span>
  </label>
)

/** What the form that led here has done, first on the page and read first. */
export const Said = ({ isProblem, text }: { readonly isProblem: boolean; readonly text: string }) => (
  <p class={isProblem ? "notice warn" : "notice"} role={isProblem ? "alert" : "status"} tabindex={-1} data-notice>
    {text}
  </p>
)

export const DoneMark = () => (
  <span class="done-mark">
    <CheckIcon />
  </span>
)
