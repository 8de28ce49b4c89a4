import { AppointmentTime, type BookingSubject, Steps, Subject } from "../../../pages/views/bookingParts.tsx"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import type { TypeFacts } from "../../../pages/views/cards.tsx"
import { Choice, Said, Unreachable } from "../../../pages/views/forms.tsx"
import { ArrowIcon } from "../../../pages/views/icons.tsx"
import { useLanguage, useTexts } from "../../../pages/views/pageLanguage.ts"
import { pageTextsOf } from "../texts/page.ts"

/** What the form that led here has done. */
export type PublicBookingNotice =
  | "invalid"
  | "birthDate"
  | "tooMany"
  | "typeGone"
  | "noMail"
  | "wrongCode"
  | "codeGone"
  | "codeSent"

export interface PublicBookingData {
  /** URL to which the form is posted */
  readonly post: string
  readonly problem: PublicBookingNotice | null
}

interface FormData extends PublicBookingData {
  /** the entered values of a rejected form */
  readonly typed: (name: string) => string
  /** the names of the fields whose values cannot be used */
  readonly faulty: ReadonlySet<string>
}

interface PageProps {
  readonly data: PublicBookingData
}

const useOwnTexts = () => pageTextsOf(useLanguage())

const Problem = ({ data: { problem } }: PageProps) => {
  const { problems } = useOwnTexts()
  const { person } = useTexts()
  if (problem === null) return null
  const text =
    problem === "invalid" ? person.invalid : problem === "birthDate" ? person.faults.date_of_birth : problems[problem]
  return <Said isProblem={problem !== "codeSent"} text={text} />
}

interface TextFieldProps {
  readonly name: string
  readonly label: string
  readonly data: FormData
  readonly type?: "text" | "email" | "tel" | "date"
  readonly autocomplete: string
  readonly optional?: boolean
}

const inputs = {
  text: { type: "text" },
  email: { type: "email" },
  tel: { type: "tel" },
  date: { type: "date" }
} as const

/** What is wrong with a field, below it. */
const Fault = ({ data, name }: { readonly data: FormData; readonly name: string }) => {
  const { faults } = useTexts().person
  const own = useOwnTexts().faults
  const about = name.replace("relative_", "")
  return data.faulty.has(name) ? (
    <p id={`${name}_fault`} class="fault">
      {about === "email" || about === "phone" || about === "date_of_birth"
        ? faults[about]
        : about === "meeting_format"
          ? own.meeting_format
          : about === "appointment_type_uid"
            ? own.type
            : faults.name}
    </p>
  ) : null
}

const TextField = ({ name, label, data, type = "text", autocomplete, optional = false }: TextFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      {...inputs[type]}
      id={name}
      name={name}
      required={!optional}
      maxlength={type === "date" ? undefined : 255}
      autocomplete={autocomplete}
      value={data.typed(name)}
      aria-invalid={data.faulty.has(name) ? "true" : undefined}
      aria-describedby={data.faulty.has(name) ? `${name}_fault` : undefined}
      min={type === "date" ? "1900-01-01" : undefined}
    />
    <Fault data={data} name={name} />
  </div>
)

const formats = ["DIGITAL", "IN_PERSON"] as const

/** Fields of the patient, and of a relative for whom is booked. */
const patientFields = [
  { name: "first_name", text: "firstName", autocomplete: "given-name" },
  { name: "last_name", text: "lastName", autocomplete: "family-name" },
  { name: "date_of_birth", text: "birthDate", type: "date", autocomplete: "bday", optional: true },
  { name: "email", text: "email", type: "email", autocomplete: "email" },
  { name: "phone", text: "phone", type: "tel", autocomplete: "tel", optional: true }
] as const
const relativeFields = [
  { name: "relative_first_name", text: "firstName" },
  { name: "relative_last_name", text: "lastName" },
  { name: "relative_date_of_birth", text: "birthDate", type: "date" }
] as const

interface TypesData extends FormData {
  readonly types: ReadonlyArray<TypeFacts & { readonly uid: string }>
  /** the query that the form keeps */
  readonly kept: Readonly<Record<string, string>>
  /** what patients may come for instead */
  readonly others: ReadonlyArray<readonly [address: string, text: string]>
}

/** The first page of a booking without a partner: what, and how. Free times follow, before anything is asked. */
export const PublicTypesPage = ({ data }: { readonly data: TypesData }) => {
  const texts = useOwnTexts()
  const { booking } = useTexts()
  // the only one there is; among several the choice is the patient's
  const chosenType = data.typed("appointment_type_uid") || (data.types.length === 1 ? data.types[0]?.uid : undefined)
  const offered = formats.filter((format) => data.types.some((type) => type.formats.includes(format)))
  const [onlyFormat] = offered.length === 1 ? offered : []
  return (
    <div class="card">
      <h1>{texts.title}</h1>
      <Problem data={data} />
      {data.types.length === 0 ? (
        <>
          <p>{texts.nothing}</p>
          <ContactPractice />
        </>
      ) : (
        <form method="get" action={data.post.split("?")[0]} class="stack" data-keep>
          {Object.entries(data.kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <fieldset class="consents">
            <legend>{texts.what}</legend>
            {data.types.map((type) => (
              <Choice
                key={type.uid}
                type="radio"
                name="type"
                value={type.uid}
                required
                checked={type.uid === chosenType}
              >
                <strong>{type.name}</strong>
                {[
                  type.description,
                  type.price,
                  ...(type.formats.length === 1 ? type.formats.map((format) => booking.formats[format]) : [null])
                ]
                  .filter((line) => line !== null)
                  .map((line) => (
                    <span key={line} class="help line">
                      {" "}
                      {line}
                    </span>
                  ))}
              </Choice>
            ))}
            <Fault data={data} name="appointment_type_uid" />
          </fieldset>
          <fieldset class="consents">
            <legend>{texts.how}</legend>
            {offered.map((format) => (
              <Choice
                key={format}
                type="radio"
                name="format"
                value={format}
                required
                checked={format === (onlyFormat ?? data.typed("meeting_format"))}
              >
                {booking.formats[format]}
              </Choice>
            ))}
            <Fault data={data} name="meeting_format" />
          </fieldset>
          <div class="actions">
            <button type="submit" class="primary">
              {texts.showTimes}
              <ArrowIcon />
            </button>
          </div>
        </form>
      )}
      {data.others.map(([address, text]) => (
        <p key={address}>
          <a href={address}>{text}</a>
        </p>
      ))}
    </div>
  )
}

interface WhoData extends FormData {
  readonly title: string
  /** what is booked; null: the visit is for another purpose */
  readonly appointment: {
    readonly subject: BookingSubject
    /** the chosen time; null: it is chosen afterwards */
    readonly time: { readonly start_date: number; readonly end_date: number; readonly doctor: string } | null
    /** URL of the free times */
    readonly back: string
  } | null
  readonly hidden: Readonly<Record<string, string>>
}

/** What is booked, above the fields of the person. */
const Booked = ({ appointment }: { readonly appointment: NonNullable<WhoData["appointment"]> }) => {
  const { subject, time, back } = appointment
  return (
    <>
      {time === null ? null : (
        <AppointmentTime
          zone={subject.zone}
          start_date={time.start_date}
          end_date={time.end_date}
          doctor_name={time.doctor}
        />
      )}
      <p>
        <a href={back}>{useTexts().booking.otherTime}</a>
      </p>
    </>
  )
}

/** The page after the free times: who it is for. The time is held once the address is verified. */
export const PublicBookingPage = ({ data }: { readonly data: WhoData }) => {
  const texts = useOwnTexts()
  const { person } = useTexts()
  const { appointment } = data
  return (
    <div class="card">
      {appointment === null ? null : (
        <>
          <Steps at="details" />
          <Subject subject={appointment.subject} />
        </>
      )}
      <h1>{data.title}</h1>
      <Problem data={data} />
      {appointment === null ? null : <Booked appointment={appointment} />}
      <form method="post" action={data.post} class="stack" data-keep>
        {Object.entries(data.hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <fieldset class="consents">
          <legend>{texts.who}</legend>
          {patientFields.map((field) => (
            <TextField key={field.name} label={person[field.text]} data={data} {...field} />
          ))}
        </fieldset>
        <details class="folded" open={data.typed("relative_first_name") !== ""}>
          <summary>{texts.relative}</summary>
          <div class="stack">
            <p class="help">{texts.relativeHelp}</p>
            {relativeFields.map((field) => (
              <TextField
                key={field.name}
                label={person[field.text]}
                data={data}
                autocomplete="off"
                optional
                {...field}
              />
            ))}
          </div>
        </details>
        <Unreachable />
        <p class="help">{texts.codeNext}</p>
        <div class="actions">
          <button type="submit" class="primary">
            {texts.next}
            <ArrowIcon />
          </button>
        </div>
      </form>
    </div>
  )
}

/** The second page: the code from the mail. */
export const PublicBookingCodePage = ({
  data,
  token,
  back
}: PageProps & { readonly token: string; readonly back: string }) => {
  const texts = useOwnTexts()
  return (
    <div class="card">
      <h1>{texts.codeTitle}</h1>
      <Problem data={data} />
      <p>{texts.codeText}</p>
      <form method="post" action={data.post} class="stack">
        <input type="hidden" name="token" value={token} />
        <div class="field">
          <label for="code">{texts.code}</label>
          <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength={12} required />
        </div>
        <Unreachable />
        <div class="actions">
          <button type="submit" class="primary">
            {texts.next}
            <ArrowIcon />
          </button>
          <button type="submit" class="secondary" name="action" value="resend" formnovalidate>
            {texts.resend}
          </button>
          <a class="quiet" href={back}>
            {texts.startAgain}
          </a>
        </div>
      </form>
    </div>
  )
}
