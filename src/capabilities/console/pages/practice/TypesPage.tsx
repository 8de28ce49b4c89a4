import type { AppointmentType } from "../../../../schemas/scheduling/AppointmentType.ts"
import type { Reminder } from "../../../../schemas/scheduling/Reminder.ts"
import type { Resource } from "../../../../schemas/scheduling/Resource.ts"
import { specialties } from "../../../../schemas/scheduling/specialties.ts"
import { fill } from "../../../../texts/fill.ts"
import { languages, localeOf } from "../../../../texts/language.ts"
import {
  Added,
  Ask,
  Card,
  Do,
  Field,
  listFields,
  PageHead,
  Press,
  Rows,
  Submit,
  useAddress,
  useDesk,
  YesNoField
} from "../../../shared/pages/Desk.tsx"
import { BoxesField, Subject } from "../../../shared/pages/rows.tsx"
import { timeSpan } from "../../../shared/texts/timeSpan.ts"
import { useTexts } from "../useTexts.ts"
import { TakesCard } from "./TakesCard.tsx"

const entriesOf = (texts: Readonly<Record<string, string>>) => Object.entries(texts)

const TypeFields = ({ one }: { readonly one: AppointmentType | null }) => {
  const { practice: texts, formats } = useTexts()
  const { language } = useDesk()
  const number = (label: string, name: keyof AppointmentType, fallback: number) => {
    const value = Number(one?.[name] ?? fallback)
    return (
      <Field
        label={label}
        name={name}
        type="number"
        min={0}
        value={value}
        required
        // a day is easier to read than 1440 minutes
        help={value > 60 ? timeSpan(language, value) : undefined}
      />
    )
  }
  return (
    <div class="entries">
      <input type="hidden" name="formats" value="" />
      <Field label={texts.name} name="name" value={one?.name} required />
      <Field label={texts.kind} name="meeting_type" value={one?.meeting_type} options={entriesOf(texts.kinds)} />
      {number(texts.minutes, "duration_minutes", 20)}
      <Field
        label={texts.hold}
        name="hold_ttl_seconds@minutes"
        value={String((one?.hold_ttl_seconds ?? 600) / 60)}
        required
      />
      {number(texts.notice, "booking_min_notice_minutes", 0)}
      {number(texts.cancelNotice, "cancellation_min_notice_minutes", 0)}
      {number(texts.moveNotice, "rebooking_min_notice_minutes", 0)}
      <Field label={texts.room} name="room_strategy" value={one?.room_strategy} options={entriesOf(texts.rooms)} />
      <Field
        label={texts.moving}
        name="rebooking_mode"
        value={one?.rebooking_mode}
        options={entriesOf(texts.movings)}
      />
      <Field
        label={texts.assignment}
        name="doctor_assignment_mode"
        value={one?.doctor_assignment_mode}
        options={entriesOf(texts.assignments)}
      />
      <Field
        label={texts.doctorChoice}
        name="doctor_choice"
        value={one?.doctor_choice ?? "any"}
        options={entriesOf(texts.doctorChoices)}
      />
      <YesNoField
        label={texts.patientMoves}
        name="allow_patient_rebooking"
        value={one?.allow_patient_rebooking ?? false}
      />
      <YesNoField label={texts.takes.closed} name="closed_on_holidays" value={one?.closed_on_holidays ?? true} />
      <Added at="typeFields" one={one} />
      <Field
        label={texts.specialtyCode}
        name="specialty_code"
        value={one?.specialty_code ?? "ALLG"}
        options={Object.entries(specialties)}
      />
      <BoxesField
        legend={texts.format}
        name="formats"
        of={Object.entries(formats)}
        isTicked={(format) => one?.formats.some((own) => own === format) ?? true}
      />
    </div>
  )
}

/** What patients read about the type. */
const TypeTexts = ({ operation, one }: { readonly operation: string; readonly one: AppointmentType }) => {
  const { practice: texts, frame } = useTexts()
  return (
    <Card id="texts" title={texts.typeTexts.title}>
      <p class="help">{texts.typeTexts.help}</p>
      <Do operation={operation} label={texts.typeTexts.title}>
        {(["description", "preparation", "cancellation_rule"] as const).map((name) => (
          <Field key={name} label={texts.typeTexts[name]} name={name} rows={2} value={one[name]} />
        ))}
        <Field label={texts.typeTexts.price} name="price" value={one.price} />
        <Submit text={frame.save} look="secondary" />
      </Do>
    </Card>
  )
}

type Translation = AppointmentType["translations"][number]

/** Name and texts in one language: `at` is its place in the list. */
const TranslationFields = ({ at, one }: { readonly at: number; readonly one: Translation | null }) => {
  const { practice: texts } = useTexts()
  return (
    <>
      <Field label={texts.name} name={`translations.${at}.name`} value={one?.name} />
      {(["description", "preparation", "cancellation_rule"] as const).map((name) => (
        <Field
          key={name}
          label={texts.typeTexts[name]}
          name={`translations.${at}.${name}`}
          rows={2}
          value={one?.[name]}
        />
      ))}
      <Field label={texts.typeTexts.price} name={`translations.${at}.price`} value={one?.price} />
    </>
  )
}

/** The type's name and texts in other languages. */
const Translations = ({ operation, one }: { readonly operation: string; readonly one: AppointmentType }) => {
  const { practice, frame } = useTexts()
  const { typeTexts: texts } = practice
  const { language: reads } = useDesk()
  const { translations } = one
  const names = new Intl.DisplayNames(localeOf(reads), { type: "language", fallback: "code" })
  const nameOf = (tag: string) => names.of(tag) ?? tag
  const others = languages.filter((tag) => translations.every(({ language }) => language !== tag))
  return (
    <Card id="translations" title={texts.translations}>
      <Rows of={translations} empty={{ what: "translations" }}>
        {(translation, at) => (
          <li key={translation.language}>
            <details class="grow">
              <summary>{nameOf(translation.language)}</summary>
              <Do
                operation={operation}
                hidden={listFields(
                  "translations",
                  translations.map((one) => (one === translation ? { language: one.language } : one))
                )}
                label={nameOf(translation.language)}
              >
                <TranslationFields at={at} one={translation} />
                <Submit text={frame.save} look="secondary" />
              </Do>
            </details>
            <Press
              operation={operation}
              hidden={listFields("translations", translations.toSpliced(at, 1))}
              text={frame.remove}
              label={`${frame.remove}: ${nameOf(translation.language)}`}
              look="quiet"
            />
          </li>
        )}
      </Rows>
      {others.length === 0 ? null : (
        <details>
          <summary>{texts.translate}</summary>
          <Do operation={operation} hidden={listFields("translations", translations)} label={texts.translate}>
            <Field
              label={frame.language}
              name={`translations.${translations.length}.language`}
              options={others.map((tag) => [tag, nameOf(tag)] as const)}
            />
            <TranslationFields at={translations.length} one={null} />
            <Submit text={frame.save} look="secondary" />
          </Do>
        </details>
      )}
    </Card>
  )
}

/** A doctor, with their settings for the chosen type; null: the type's apply. */
interface DoctorOfType {
  readonly uid: string
  readonly display_name: string
  readonly own: { readonly active: boolean; readonly booking_min_notice_minutes: number | null } | null
}

interface TypesProps {
  readonly types: ReadonlyArray<AppointmentType>
  readonly chosen: AppointmentType | null
  readonly reminders: ReadonlyArray<Reminder>
  readonly resources: ReadonlyArray<Resource>
  readonly doctors: ReadonlyArray<{ readonly uid: string; readonly display_name: string }>
  readonly ofDoctor: DoctorOfType | null
  /** The reminder whose mail is previewed. */
  readonly role: Reminder["recipient_role"] | null
  readonly mail: { readonly subject: string; readonly text: string } | null
}

/** Usual times before an appointment, minutes. */
const BEFORE = [15, 30, 60, 120, 240, 720, 1_440, 2_880, 4_320, 10_080]

/** How long before the appointment, in words. */
const BeforeField = ({ value }: { readonly value: number }) => {
  const { practice: texts } = useTexts()
  const { language } = useDesk()
  const offered = [...new Set([...BEFORE, value])].sort((a, b) => a - b)
  return (
    <Field
      label={texts.before}
      name="minutes_before"
      value={value}
      options={offered.map((minutes) => [String(minutes), timeSpan(language, minutes)] as const)}
    />
  )
}

/** One doctor's settings for the type, and their forms. */
const DoctorSetting = ({ type, uid, display_name, own }: { readonly type: string } & DoctorOfType) => {
  const { practice: texts, frame } = useTexts()
  const setting = `/v1/management/scheduling/doctors/${uid}/appointment-type-settings/${type}`
  return (
    <>
      <h3>{`${display_name}: ${own === null ? texts.asTheType : own.active ? texts.active : texts.inactive}`}</h3>
      <Do operation={`PUT ${setting}`}>
        <div class="entries">
          <YesNoField label={texts.takesType} name="active" value={own?.active ?? true} />
          <Field
            label={texts.notice}
            name="booking_min_notice_minutes"
            type="number"
            min={0}
            value={own?.booking_min_notice_minutes}
          />
        </div>
        <Submit text={frame.save} look="secondary" />
      </Do>
      {own === null ? null : (
        <Press
          operation={`DELETE ${setting}`}
          text={texts.asTheType}
          label={`${texts.asTheType}: ${display_name}`}
          look="quiet"
        />
      )}
    </>
  )
}

interface ChecklistProps extends Pick<TypesProps, "reminders"> {
  readonly one: AppointmentType
  readonly change: string
}

/** What a type needs before patients can book it; every point leads to its form. */
const Checklist = ({ one, reminders, change }: ChecklistProps) => {
  const { checklist: texts, switchOn, assignments } = useTexts().practice
  const points = [
    ["#texts", texts.description, one.description !== null],
    ["#reminders", texts.reminder, reminders.some(({ recipient_role }) => recipient_role === "patient")],
    ["#of-doctors", fill(texts.doctors, { who: assignments[one.doctor_assignment_mode] }), null]
  ] as const
  return (
    <Card id="checklist" title={texts.title}>
      <ul class="rows">
        {points.map(([to, text, isDone]) => (
          <li key={to}>
            <a class="grow" href={to}>
              {text}
            </a>
            {isDone === null ? null : (
              <span class={isDone ? "badge" : "badge warn"}>{isDone ? texts.done : texts.open}</span>
            )}
          </li>
        ))}
      </ul>
      <Press
        operation={change}
        hidden={{ active: "true" }}
        text={switchOn}
        label={`${switchOn}: ${one.name}`}
        look="primary"
      />
    </Card>
  )
}

/** Appointment types with their reminders. */
export const TypesPage = ({ types, chosen, reminders, resources, doctors, ofDoctor, role, mail }: TypesProps) => {
  const { practice: texts, frame } = useTexts()
  const address = useAddress()
  const { language } = useDesk()
  const path = "/v1/management/scheduling/appointment-types"
  const create = `POST ${path}`
  const change = `PATCH ${path}/${chosen?.uid}`
  return (
    <>
      <PageHead title={texts.pages.types} />
      <div class="board">
        <Card id="types" title={texts.pages.types}>
          <Rows of={types} empty={{ what: "types" }}>
            {(one) => (
              <li key={one.uid}>
                <a class="grow" href={address({ type: one.uid })}>
                  {one.name}
                </a>
                <span class={one.active ? "badge" : "badge warn"}>{one.active ? texts.active : texts.inactive}</span>
                <Press
                  operation={`PATCH ${path}/${one.uid}`}
                  hidden={{ active: String(!one.active) }}
                  text={one.active ? texts.switchOff : texts.switchOn}
                  label={`${one.active ? texts.switchOff : texts.switchOn}: ${one.name}`}
                  look="quiet"
                />
              </li>
            )}
          </Rows>
          <details open={types.length === 0}>
            <summary>{texts.newType}</summary>
            <Do operation={create} hidden={{ active: "false" }} back="/console/practice/types?type={uid}">
              <p class="help">{texts.checklist.later}</p>
              <TypeFields one={null} />
              <Submit text={texts.create} />
            </Do>
          </details>
        </Card>
        {chosen === null ? null : (
          <>
            {chosen.active ? null : <Checklist one={chosen} reminders={reminders} change={change} />}
            <Card id="chosen" title={chosen.name}>
              <Do operation={change}>
                <TypeFields one={chosen} />
                <Submit text={frame.save} />
              </Do>
              <Ask
                operation={`DELETE ${path}/${chosen.uid}`}
                text={frame.remove}
                back="/console/practice/types"
                label={`${frame.remove}: ${chosen.name}`}
              />
            </Card>
            <TypeTexts operation={change} one={chosen} />
            <Translations operation={change} one={chosen} />
            <TakesCard
              type={chosen}
              resources={resources}
              doctors={doctors.map(({ uid, display_name }) => [uid, display_name] as const)}
            />
            <Card id="reminders" title={texts.reminders}>
              <Rows of={reminders} empty={{ what: "reminders" }}>
                {(one) => {
                  const ways = [one.send_email ? texts.byMail : null, one.send_sms ? texts.bySms : null]
                  const text = `${texts.recipients[one.recipient_role]}: ${fill(texts.beforeIt, { time: timeSpan(language, one.minutes_before) })}`
                  return (
                    <li key={one.uid}>
                      <Subject below={[ways.filter(Boolean).join(", ")]}>{text}</Subject>
                      <a class="secondary" href={address({ preview: one.recipient_role })}>
                        {texts.mailPreview}
                      </a>
                      <details>
                        <summary aria-label={`${texts.change}: ${text}`}>{texts.change}</summary>
                        <Do operation={`PATCH ${path}/${chosen.uid}/reminders/${one.uid}`}>
                          <div class="entries">
                            <BeforeField value={one.minutes_before} />
                            {(
                              [
                                ["send_email", texts.byMail],
                                ["send_sms", texts.bySms],
                                ["active", texts.counts]
                              ] as const
                            ).map(([name, label]) => (
                              <YesNoField key={name} label={label} name={name} value={one[name]} />
                            ))}
                          </div>
                          <Submit text={frame.save} look="secondary" />
                        </Do>
                      </details>
                      <Ask
                        operation={`DELETE ${path}/${chosen.uid}/reminders/${one.uid}`}
                        text={frame.remove}
                        label={`${frame.remove}: ${text}`}
                      />
                    </li>
                  )
                }}
              </Rows>
              <Do operation={`POST ${path}/${chosen.uid}/reminders`}>
                <div class="entries">
                  <Field label={texts.recipient} name="recipient_role" options={entriesOf(texts.recipients)} />
                  <BeforeField value={1440} />
                  <Field label={texts.byMail} name="send_email" type="checkbox" value="true" />
                  <Field label={texts.bySms} name="send_sms" type="checkbox" />
                </div>
                <Submit text={texts.add} />
              </Do>
            </Card>
            <Card id="of-doctors" title={texts.ofDoctors}>
              <Rows of={doctors} empty={{ what: "ofDoctor", to: "/console/practice/people" }}>
                {({ uid, display_name }) => (
                  <li key={uid}>
                    <a
                      class="grow"
                      href={address({ doctor: uid })}
                      aria-current={uid === ofDoctor?.uid ? "true" : undefined}
                    >
                      {display_name}
                    </a>
                  </li>
                )}
              </Rows>
              {ofDoctor === null ? null : <DoctorSetting type={chosen.uid} {...ofDoctor} />}
            </Card>
            {mail === null ? null : (
              <Card id="mail" title={texts.mailPreview}>
                <p>
                  <strong>{mail.subject}</strong>
                </p>
                <pre tabindex={0}>{mail.text}</pre>
                <p class="actions">
                  <a
                    class="secondary"
                    target="_blank"
                    rel="noopener"
                    href={`/console/practice/mail-preview?${new URLSearchParams({ type: chosen.uid, role: role ?? "patient", language })}`}
                  >
                    {texts.mailAsHtml}
                  </a>
                </p>
              </Card>
            )}
          </>
        )}
      </div>
    </>
  )
}
