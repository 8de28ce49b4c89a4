/** Parts of rows and forms that many pages have. */

import { type ComponentChildren, Fragment } from "preact"
import { clockTime, longDay } from "../../../pages/time.ts"
import { type Patient, PUBLIC_CUSTOMER } from "../../../schemas/access/Patient.ts"
import { useAddress, useDesk } from "./Desk.tsx"
import { birthDate } from "./format.ts"

/** The values that a field can take, with their names. */
export type Choices = ReadonlyArray<readonly [uid: string, name: string]>

/** A time as its day and hour, in the page's language and zone. */
export const useMoment = () => {
  const { language, zone } = useDesk()
  return (seconds: number) => `${longDay(language, zone, seconds)}, ${clockTime(language, zone, seconds)}`
}

interface SubjectProps {
  readonly children: ComponentChildren
  /** Lines below, less important; those without a text are left out. */
  readonly below: ReadonlyArray<ComponentChildren>
}

/** What a row is about. */
export const Subject = ({ children, below }: SubjectProps) => (
  <span class="grow">
    {children}
    {below.filter(Boolean).map((line, index) => (
      <Fragment key={`${index}`}>
        <br />
        <span class="help">{line}</span>
      </Fragment>
    ))}
  </span>
)

/** A patient as staff list them. */
export const nameOf = ({ profile, uid }: Patient) =>
  [profile.first_name, profile.last_name].filter((part) => typeof part === "string").join(" ") || uid

/** A field of a profile that is a text. */
export const textIn = (profile: Readonly<Record<string, unknown>>, field: string) => {
  const value = profile[field]
  return typeof value === "string" ? value : undefined
}

/** What tells two people of one name apart. */
export const Distinct = ({ patient: { profile, shop_customer_id } }: { readonly patient: Patient }) => {
  const { language } = useDesk()
  const born = textIn(profile, "date_of_birth")
  return (
    <span class="help">
      {[
        born === undefined ? undefined : birthDate(language, born),
        textIn(profile, "phone"),
        textIn(profile, "email"),
        shop_customer_id?.startsWith(PUBLIC_CUSTOMER) ? undefined : shop_customer_id
      ]
        .filter(Boolean)
        .join(" · ")}
    </span>
  )
}

interface RecordLinkProps {
  /** Path of the records below the practice's pages. */
  readonly of: string
  readonly uid: string
  readonly class?: string
  readonly text: string | undefined
}

/** A link to a record's page in the practice's workspace. */
export const RecordLink = ({ of, uid, class: kind, text }: RecordLinkProps) => (
  <a class={kind} href={`${useDesk().practice}/${of}/${encodeURIComponent(uid)}`}>
    {text}
  </a>
)

interface BoxesProps {
  readonly name: string
  readonly of: Choices
  readonly isTicked?: (value: string) => boolean
}

/** Boxes of one field, any number of which can be ticked. */
export const Boxes = ({ name, of, isTicked }: BoxesProps) =>
  of.map(([value, text]) => (
    <label key={value} class="choice">
      <input type="checkbox" name={name} value={value} checked={isTicked?.(value)} />
      {text}
    </label>
  ))

/** Boxes under their own heading. */
export const BoxesField = ({ legend, ...boxes }: BoxesProps & { readonly legend: string }) => (
  <fieldset>
    <legend>{legend}</legend>
    <Boxes {...boxes} />
  </fieldset>
)

interface FilterProps {
  readonly label: string
  /** The parameter of the query, and its values with their texts; null: without it. */
  readonly name: string
  readonly of: ReadonlyArray<readonly [value: string | null, text: string]>
  readonly chosen: string | null
  /** Further parameters that a choice changes. */
  readonly also?: Readonly<Record<string, null>>
}

/** Links to this page with another value of a parameter. */
export const Filter = ({ label, name, of, chosen, also = { page: null } }: FilterProps) => {
  const address = useAddress()
  return (
    <nav class="page-links" aria-label={label}>
      {of.map(([value, text]) => (
        <a key={value} href={address({ ...also, [name]: value })} aria-current={value === chosen ? "true" : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}
