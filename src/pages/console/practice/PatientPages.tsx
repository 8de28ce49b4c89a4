import type { Patient } from "../../../schemas/access/Patient.ts"
import type { Consent, ConsentText } from "../../../schemas/patients/Consent.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { fill } from "../../../texts/fill.ts"
import { clockTime, longDay } from "../../time.ts"
import { Do, Field, Press, useDesk, useFormValues, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"
import { Pager } from "../parts/Pager.tsx"
import type { FreeTime } from "./CalendarPage.tsx"
import { Consents } from "./Consents.tsx"

type Choices = ReadonlyArray<readonly [uid: string, name: string]>
type Profile = Readonly<Record<string, unknown>>

export const nameOf = ({ profile, uid }: Patient) =>
  [profile.first_name, profile.last_name].filter((part) => typeof part === "string").join(" ") || uid
const textIn = (profile: Profile, field: string) => {
  const value = profile[field]
  return typeof value === "string" ? value : undefined
}

const ProfileFields = ({ prefix, profile, operation }: { prefix: string; profile: Profile; operation: string }) => {
  const { practice: texts } = useTexts()
  const typed = useFormValues(operation)
  const field = (name: string) => ({ name: prefix + name, value: typed(prefix + name, textIn(profile, name)) })
  return (
    <div class="entries">
      <Field label={texts.firstName} {...field("first_name")} required />
      <Field label={texts.lastName} {...field("last_name")} required />
      <Field label={texts.birthDate} type="date" {...field("date_of_birth")} />
      <Field label={texts.email} type="email" {...field("email")} />
      <Field label={texts.phone} type="tel" {...field("phone")} />
    </div>
  )
}

interface PatientsProps {
  readonly patients: ReadonlyArray<Patient>
  readonly search: string
  readonly page: number
  readonly pages: number
  readonly shops: Choices
}

/** Patient search, and a form for a new patient on the telephone. */
export const PatientsPage = ({ patients, search, page, pages, shops }: PatientsProps) => {
  const { practice: texts, frame } = useTexts()
  const create = "POST /v1/management/patients"
  return (
    <>
      <header class="page-head">
        <h1>{texts.pages.patients}</h1>
      </header>
      <div class="board two">
        <section class="card" aria-labelledby="found">
          <h2 id="found">{frame.search}</h2>
          <search>
            <form action="/console/practice/patients" class="press">
              <Field label={texts.searchPatient} name="search" type="search" value={search} />
              <button type="submit" class="primary">
                {frame.search}
              </button>
            </form>
          </search>
          {patients.length === 0 ? <p class="help">{frame.none}</p> : null}
          <ul class="rows">
            {patients.map((one) => (
              <li key={one.uid}>
                <a class="grow" href={`/console/practice/patients/${one.uid}`}>
                  {nameOf(one)}
                </a>
                <span class="help">
                  {[textIn(one.profile, "date_of_birth"), textIn(one.profile, "email")].filter(Boolean).join(" · ")}
                </span>
              </li>
            ))}
          </ul>
          <Pager page={page} pages={pages} />
        </section>
        <section class="card" aria-labelledby="new">
          <h2 id="new">{texts.newPatient}</h2>
          <Do operation={create} class="stack" back="/console/practice/patients">
            <Field label={texts.shop} name="shop_uid" options={shops} />
            <ProfileFields prefix="profile." profile={{}} operation={create} />
            <button type="submit" class="primary">
              {texts.create}
            </button>
          </Do>
        </section>
      </div>
    </>
  )
}

interface PatientProps {
  readonly patient: Patient
  readonly appointments: ReadonlyArray<Appointment>
  readonly types: Choices
  readonly doctors: Choices
  readonly type: string
  readonly doctor: string
  readonly free: ReadonlyArray<FreeTime>
  readonly consents: ReadonlyArray<Consent>
  /** The practice's current consent texts. */
  readonly asked: ReadonlyArray<ConsentText>
}

/** One patient: booking by telephone in two clicks, history, details. */
export const PatientPage = ({
  patient,
  appointments,
  types,
  doctors,
  type,
  doctor,
  free,
  consents,
  asked
}: PatientProps) => {
  const { practice: texts, statuses, formats, frame } = useTexts()
  const { language, zone } = useDesk()
  const change = `PATCH /v1/management/patients/${patient.uid}`
  const names = new Map(doctors)
  return (
    <>
      <header class="page-head">
        <h1>{nameOf(patient)}</h1>
      </header>
      <div class="board">
        <section class="card" aria-labelledby="book">
          <h2 id="book">{texts.book}</h2>
          <form class="entries">
            <Field label={texts.type} name="type" value={type} options={types} />
            <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
            <button type="submit" class="secondary">
              {texts.apply}
            </button>
          </form>
          {free.length === 0 ? <p class="help">{texts.noTimes}</p> : null}
          <Do
            operation="POST /v1/management/scheduling/appointments"
            hidden={{ shop_uid: patient.shop_uid, patient_uid: patient.uid, appointment_type_uid: type }}
            class="stack"
          >
            <Field label={texts.reason} name="visit_reason" />
            <Field
              label={texts.format}
              name="meeting_format"
              options={[
                ["DIGITAL", formats.DIGITAL],
                ["IN_PERSON", formats.IN_PERSON]
              ]}
            />
            {free.map(({ start_date, doctor_uid }) => (
              <button
                key={`${start_date} ${doctor_uid}`}
                type="submit"
                class="secondary"
                name="@slot"
                value={`${start_date}.${doctor_uid}`}
              >
                {`${fill(texts.bookAt, {
                  time: `${longDay(language, zone, start_date)}, ${clockTime(language, zone, start_date)}`
                })} · ${names.get(doctor_uid) ?? doctor_uid}`}
              </button>
            ))}
          </Do>
        </section>
        <section class="card" aria-labelledby="history">
          <h2 id="history">{texts.history}</h2>
          {appointments.length === 0 ? <p class="help">{frame.none}</p> : null}
          <ul class="rows">
            {appointments.map((one) => (
              <li key={one.uid}>
                <a href={`/console/practice/appointments/${one.uid}`}>{moment(language, zone, one.start_date)}</a>
                <span class="grow">{one.doctor_display_name}</span>
                <span class="badge">{statuses[one.status]}</span>
              </li>
            ))}
          </ul>
        </section>
        <section class="card" aria-labelledby="consents">
          <h2 id="consents">{texts.consents}</h2>
          <Consents patient={patient.uid} consents={consents} />
          {asked.map(({ purpose, version }) => (
            <Press
              key={purpose}
              operation={`POST /v1/management/patients/${patient.uid}/consents`}
              hidden={{ purpose, version }}
              text={fill(texts.gave, { text: `${texts.purposes[purpose]} (${version})` })}
            />
          ))}
        </section>
        <section class="card" aria-labelledby="details">
          <h2 id="details">{texts.details}</h2>
          <Do operation={change} class="stack">
            <ProfileFields prefix="profile." profile={patient.profile} operation={change} />
            <button type="submit" class="secondary">
              {frame.save}
            </button>
          </Do>
          <a href={`/console/practice/patients/${patient.uid}/rights`}>{texts.rights.title}</a>
        </section>
      </div>
    </>
  )
}
