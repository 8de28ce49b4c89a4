import type { Patient } from "../../../../schemas/access/Patient.ts"
import type { Consent, ConsentText } from "../../../../schemas/patients/Consent.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { type MeetingFormat, standardFormat } from "../../../../schemas/scheduling/AppointmentType.ts"
import { fill } from "../../../../texts/fill.ts"
import { languages } from "../../../../texts/language.ts"
import { Added, Card, Do, Field, Hidden, PageHead, Press, Rows, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import { birthDate, languageName, moment } from "../../../shared/pages/format.ts"
import { Pager } from "../../../shared/pages/Pager.tsx"
import { type Choices, Distinct, nameOf, RecordLink, textIn, useMoment } from "../../../shared/pages/rows.tsx"
import {
  type FreeTime,
  slotButton,
  TimeSearch,
  Times,
  useOverlaps,
  useOverlapsOf,
  type Wishes
} from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"
import { BookChosen, ChosenNotice, type ChosenTime } from "./ChosenTime.tsx"
import { Consents } from "./Consents.tsx"

type Profile = Readonly<Record<string, unknown>>

/** The profile's fields; those of the address and of the insurance unfold. */
const ProfileFields = ({ prefix, profile }: { readonly prefix: string; readonly profile: Profile }) => {
  const { practice: texts, doctor, frame } = useTexts()
  const { language } = useDesk()
  const field = (name: string) => ({ name: prefix + name, value: textIn(profile, name) })
  const spoken = languages.map((tag) => [tag, languageName(language, tag)] as const)
  const own = textIn(profile, "language")
  const known =
    own === undefined || languages.some((tag) => tag === own) ? [] : [[own, languageName(language, own)] as const]
  return (
    <>
      <div class="entries">
        <Field label={texts.firstName} {...field("first_name")} required />
        <Field label={texts.lastName} {...field("last_name")} required />
        <Field label={texts.birthDate} type="date" {...field("date_of_birth")} />
        <Field label={texts.email} type="email" {...field("email")} />
        <Field label={texts.phone} type="tel" {...field("phone")} />
        <Field label={frame.language} {...field("language")} options={[["", texts.noLanguage], ...known, ...spoken]} />
      </div>
      <details open={["street", "zip", "city"].some((name) => textIn(profile, name))}>
        <summary>{doctor.address}</summary>
        <div class="entries">
          <Field label={texts.street} {...field("street")} />
          <Field label={texts.zip} {...field("zip")} />
          <Field label={texts.city} {...field("city")} />
        </div>
      </details>
      <details open={["insurance_kind", "insurance_number", "insurance_carrier"].some((name) => textIn(profile, name))}>
        <summary>{texts.insurance.title}</summary>
        <div class="entries">
          <Field
            label={texts.insurance.kind}
            {...field("insurance_kind")}
            options={[["", ""], ...Object.entries(texts.insurance.kinds)]}
          />
          <Field label={texts.insurance.number} {...field("insurance_number")} />
          <Field label={texts.insurance.carrier} {...field("insurance_carrier")} />
        </div>
      </details>
    </>
  )
}

/** Code of the refusal to make a patient who is probably known already. */
export const LIKELY_DOUBLE = "likely_double"

/** Without what is no name. */
const nameIn = (text: string) =>
  text
    .split(/\s+/)
    .filter((word) => word !== "" && !/\d/.test(word))
    .join(" ")

/** What was searched for, in the fields of a new patient, so that it is not typed twice. */
const prefilledFrom = (search: string): Profile => {
  if (search.includes("@")) return { email: search }
  const [born, day = "", month = "", year] = /(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/.exec(search) ?? []
  const rest = born === undefined ? search : search.replace(born, " ")
  const [phone] = /^[+\d\s()/-]*\d[+\d\s()/-]*$|(?:\+|\(?0)[\d\s()/-]{4,}\d/.exec(rest) ?? []
  const [last = "", first] = (phone === undefined ? rest : rest.replace(phone, " ")).split(",").map(nameIn)
  const words = last.split(" ")
  const isPlain = first === undefined && words.length > 1
  return {
    first_name: isPlain ? words.slice(0, -1).join(" ") : first,
    last_name: isPlain ? words.at(-1) : last,
    ...(phone !== undefined && { phone: phone.trim() }),
    ...(born !== undefined && { date_of_birth: `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` })
  }
}

interface PatientsProps {
  readonly patients: ReadonlyArray<Patient>
  readonly search: string
  readonly page: number
  readonly pages: number
  readonly shops: Choices
  /** The free time that was pressed in the calendar, for which a patient is chosen here. */
  readonly chosen: ChosenTime | null
  /** The found patients' visits at that time. */
  readonly visits: ReadonlyMap<string, ReadonlyArray<Appointment>>
}

/** Patient search, and a form for a new patient on the telephone. */
export const PatientsPage = ({ patients, search, page, pages, shops, chosen, visits }: PatientsProps) => {
  const { practice: texts, frame } = useTexts()
  const { problem } = useDesk()
  const overlapsOf = useOverlapsOf()
  const warningFor = (uid: string) =>
    chosen === null ? null : overlapsOf(visits.get(uid) ?? [])({ start_date: chosen.start, end_date: chosen.end })
  const create = "POST /v1/management/patients"
  const kept: Readonly<Record<string, string>> =
    chosen === null
      ? {}
      : {
          type: chosen.type,
          doctor: chosen.doctor,
          start: String(chosen.start),
          ...(chosen.squeeze && { squeeze: "true" }),
          ...(chosen.format !== "" && { format: chosen.format })
        }
  const query = new URLSearchParams(kept).toString()
  const pageOf = (uid: string) => `/console/practice/patients/${uid}${query === "" ? "" : `?${query}`}`
  return (
    <>
      <PageHead title={texts.pages.patients} />
      {chosen === null ? null : <ChosenNotice chosen={chosen} text={texts.whoFor} />}
      <div class="board two">
        <Card id="found" title={frame.search}>
          <search>
            <form action="/console/practice/patients" class="press" data-finds>
              <Hidden fields={kept} />
              <Field label={texts.searchPatient} name="search" type="search" value={search} />
              <Submit text={frame.search} />
            </form>
          </search>
          <div data-found>
            <Rows
              of={patients}
              empty={
                search === ""
                  ? { what: "patients", to: "#new" }
                  : { what: "filtered", to: "/console/practice/patients" }
              }
            >
              {(one) => (
                <li key={one.uid}>
                  <a class="grow" href={pageOf(one.uid)}>
                    {nameOf(one)}
                  </a>
                  <Distinct patient={one} />
                  {warningFor(one.uid) === null ? null : <span class="badge warn">{warningFor(one.uid)}</span>}
                  {chosen === null ? null : <BookChosen chosen={chosen} patient={one} name={nameOf(one)} />}
                </li>
              )}
            </Rows>
            <Pager page={page} pages={pages} />
          </div>
        </Card>
        <Card id="new" title={texts.newPatient}>
          <Do operation={create} back={pageOf("{uid}")} to="patients">
            <Field label={texts.shop} name="shop_uid" options={shops} />
            <ProfileFields prefix="profile." profile={prefilledFrom(search)} />
            {problem?.code === LIKELY_DOUBLE ? (
              <>
                <p class="help">{texts.doubleHelp}</p>
                <button type="submit" class="primary" name="@sure" value="1">
                  {texts.createAnyway}
                </button>
              </>
            ) : (
              <Submit text={texts.create} />
            )}
          </Do>
        </Card>
      </div>
    </>
  )
}

interface PatientProps {
  readonly patient: Patient
  readonly appointments: ReadonlyArray<Appointment>
  /** The patient's confirmed appointments from now on. */
  readonly ahead: ReadonlyArray<Appointment>
  readonly types: Choices
  readonly doctors: Choices
  readonly type: string
  /** Formats of the chosen type. */
  readonly offered: ReadonlyArray<MeetingFormat>
  readonly doctor: string
  readonly free: ReadonlyArray<FreeTime>
  readonly wishes: Wishes
  /** The time that was chosen before the patient; null without one. */
  readonly chosen: ChosenTime | null
  readonly consents: ReadonlyArray<Consent>
  /** The practice's current consent texts. */
  readonly asked: ReadonlyArray<ConsentText>
}

/** In place of a record that was merged into another. */
export const MergedPage = ({ into }: { readonly into: string }) => {
  const { title, text, open } = useTexts().practice.mergedAway
  return (
    <section class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <RecordLink of="patients" uid={into} text={open} />
      </p>
    </section>
  )
}

/** Appointments of the history that are shown at once. */
const VISITS_SHOWN = 10

/** One patient: booking by telephone in two clicks, history, details. */
export const PatientPage = ({
  patient,
  appointments,
  ahead,
  types,
  doctors,
  type,
  offered,
  doctor,
  free,
  wishes,
  chosen,
  consents,
  asked
}: PatientProps) => {
  const { practice: texts, statuses, formats, frame, calendar, doctor: doctorTexts } = useTexts()
  const born = textIn(patient.profile, "date_of_birth")
  const { language, zone, address } = useDesk()
  const at = useMoment()
  const change = `PATCH /v1/management/patients/${patient.uid}`
  const names = new Map(doctors)
  const warningOf = useOverlaps(ahead)
  const overlap = chosen && warningOf({ start_date: chosen.start, end_date: chosen.end })
  const visit = (one: Appointment) => (
    <li key={one.uid}>
      <RecordLink of="appointments" uid={one.uid} text={moment(language, zone, one.start_date)} />
      <span class="grow">{one.doctor_display_name}</span>
      <span class="badge">{statuses[one.status]}</span>
    </li>
  )
  return (
    <>
      <PageHead title={nameOf(patient)}>
        <span class="help">
          {[
            born === undefined ? null : fill(doctorTexts.born, { date: birthDate(language, born) }),
            textIn(patient.profile, "phone"),
            textIn(patient.profile, "email")
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <Added at="patientHead" patient_uid={patient.uid} />
      </PageHead>
      <div class="board two">
        <div class="column">
          <Card id="book" title={texts.book}>
            {overlap === null ? null : <p class="notice warn">{overlap}</p>}
            {!textIn(patient.profile, "email") ? <p class="notice warn">{texts.calls.noConfirmation}</p> : null}
            {chosen?.squeeze ? (
              <>
                <ChosenNotice chosen={chosen} text={calendar.squeezeQuestion} />
                <BookChosen chosen={chosen} patient={patient} name={nameOf(patient)} />
              </>
            ) : null}
            <TimeSearch wishes={wishes} hidden={{ format: wishes.format || undefined }}>
              <Field label={texts.type} name="type" value={type} options={types} />
              <Field label={texts.doctor} name="doctor" value={doctor} options={[["", texts.everybody], ...doctors]} />
            </TimeSearch>
            <Do
              operation="POST /v1/management/scheduling/appointments"
              hidden={{ shop_uid: patient.shop_uid, patient_uid: patient.uid, appointment_type_uid: type }}
              back={address.split("?")[0] ?? ""}
            >
              <div class="entries">
                <Field label={texts.reason} name="visit_reason" />
                <Field
                  label={texts.format}
                  name="meeting_format"
                  value={offered.find((format) => format === wishes.format) ?? standardFormat(offered)}
                  options={offered.map((format) => [format, formats[format]])}
                />
              </div>
              {chosen === null || chosen.squeeze ? null : (
                <button type="submit" class="primary" name="@slot" value={`${chosen.start}.${chosen.doctor}`}>
                  {`${fill(texts.bookAt, { time: at(chosen.start) })} · ${names.get(chosen.doctor) ?? chosen.doctor}`}
                </button>
              )}
              <Times
                free={free}
                wished={wishes}
                doctorNames={names}
                warningOf={warningOf}
                labelOf={(time) => fill(texts.bookAt, { time })}
                buttonOf={slotButton}
              />
            </Do>
          </Card>
          <Card id="history" title={texts.history} folds>
            <Rows of={appointments.slice(0, VISITS_SHOWN)} empty={{ what: "history", to: "#book" }}>
              {visit}
            </Rows>
            {appointments.length <= VISITS_SHOWN ? null : (
              <details>
                <summary>{fill(texts.earlierVisits, { n: String(appointments.length - VISITS_SHOWN) })}</summary>
                <ul class="rows">{appointments.slice(VISITS_SHOWN).map(visit)}</ul>
              </details>
            )}
          </Card>
        </div>
        <div class="column">
          <Added at="patient" patient_uid={patient.uid} types={types} doctors={doctors} appointment_type_uid={type} />
          <Card id="details" title={texts.details} folds>
            <Do operation={change}>
              <ProfileFields prefix="profile." profile={patient.profile} />
              <Submit text={frame.save} look="secondary" />
            </Do>
          </Card>
          <Card id="consents" title={texts.consents} folds>
            <Consents patient={patient.uid} consents={consents} />
            {asked.map(({ purpose, version }) => (
              <Press
                key={purpose}
                operation={`POST /v1/management/patients/${patient.uid}/consents`}
                hidden={{ purpose, version }}
                text={fill(texts.gave, { text: `${texts.purposes[purpose]} (${version})` })}
              />
            ))}
          </Card>
        </div>
      </div>
    </>
  )
}
